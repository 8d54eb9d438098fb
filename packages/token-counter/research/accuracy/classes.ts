/** Groups of records that are scored together. */
import type { CleanRecord } from './records.ts';
import { resolveModel } from '../../src/index.ts';

export interface Group {
  title: string;
  holds: (clean: CleanRecord) => boolean;
}

type Blocks = readonly { type: string; content?: unknown; source?: { type: string } }[];

function has(clean: CleanRecord, ...features: string[]): boolean {
  return clean.record.features.some((feature) => features.includes(feature));
}

function hasThinking(clean: CleanRecord): boolean {
  return clean.record.features.some((feature) => feature.startsWith('thinking'));
}

const DOCUMENTS = ['document', 'document_text', 'search_result', 'citations'];

/** Thinking of earlier turns on models whose service keeps it: we never count it, so these are scored apart. */
function keepsEarlierThinking(clean: CleanRecord): boolean {
  const generation = resolveModel(clean.request.model)?.generation;
  if (generation !== '4.6' && generation !== '4.7' && generation !== '5') return false;
  let lastUser = -1;
  clean.request.messages.forEach((message, index) => {
    const blocks = message.content as string | Blocks;
    if (message.role === 'user' && (typeof blocks === 'string' || blocks.some((block) => block.type !== 'tool_result')))
      lastUser = index;
  });
  return clean.request.messages.some((message, index) => {
    const blocks = message.content as string | Blocks;
    return (
      index < lastUser &&
      typeof blocks !== 'string' &&
      blocks.some((block) => block.type === 'thinking' || block.type === 'redacted_thinking')
    );
  });
}

export const inScope: Group = {
  title: 'All but kept earlier thinking',
  holds: (clean) => !keepsEarlierThinking(clean),
};

/** What the rules hold exactly: no thinking, PDFs, documents, search results, citations. */
export const exactByRule: Group = {
  title: 'Without thinking, PDFs and documents',
  holds: (clean) => inScope.holds(clean) && !hasThinking(clean) && !has(clean, 'pdf', ...DOCUMENTS),
};

/** Tools that the provider runs itself, which its count endpoint refuses. */
const SERVER_TOOLS = /^(?:web_search|web_fetch|code_execution|tool_search_tool|advisor)_/;

/** The same, as far as the provider's own count endpoint takes it. */
export const countable: Group = {
  title: 'The same, without tools that the provider runs',
  holds: (clean) =>
    exactByRule.holds(clean) && clean.request.tools?.some(({ type }) => SERVER_TOOLS.test(type ?? '')) !== true,
};

const family = (title: string, ...generations: string[]): Group => ({
  title,
  holds: (clean) => inScope.holds(clean) && generations.includes(resolveModel(clean.request.model)?.generation ?? ''),
});

export const families: readonly Group[] = [
  family('Claude 3, 3.5, 3.7', '3'),
  family('Claude 4, 4.1', '4'),
  family('Claude 4.5', '4.5'),
  family('Claude 4.6', '4.6'),
  family('Claude Opus 4.7', '4.7'),
  family('Claude Opus 4.8 and the 5 series', '5'),
];

const feature = (title: string, holds: Group['holds']): Group => ({
  title,
  holds: (clean) => inScope.holds(clean) && holds(clean),
});
const hasSchema = ({ request }: CleanRecord): boolean =>
  (request.output_config?.format ?? request.output_format) != null;

export const features: readonly Group[] = [
  feature(
    'One message of text',
    (clean) => exactByRule.holds(clean) && clean.record.features.every((name) => name === 'text'),
  ),
  feature(
    'Text in several turns',
    (clean) => exactByRule.holds(clean) && has(clean, 'multi_turn') && !has(clean, 'tools', 'tool_use', 'image'),
  ),
  feature('System prompt', (clean) => has(clean, 'system')),
  feature('Tools, no calls yet', (clean) => has(clean, 'tools') && !has(clean, 'tool_use')),
  feature('Tool calls and results', (clean) => has(clean, 'tool_use')),
  feature('Forced tool choice', (clean) => has(clean, 'tool_choice:any', 'tool_choice:tool')),
  feature('Output schema', hasSchema),
  feature('Images', (clean) => has(clean, 'image')),
  feature('Thinking', hasThinking),
  feature('PDFs', (clean) => has(clean, 'pdf')),
  feature('Text documents, search results, citations', (clean) => has(clean, ...DOCUMENTS)),
];

export const earlierThinking: Group = {
  title: 'Kept earlier thinking (never counted by us)',
  holds: keepsEarlierThinking,
};
