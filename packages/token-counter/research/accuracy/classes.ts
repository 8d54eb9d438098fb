/** Groups of records that are scored together. */
import type { CleanRecord } from './records.ts';
import { resolveModel } from '../../src/index.ts';
import { modelKeepsThinking } from '../../src/models/models.ts';

export interface Group {
  title: string;
  includes: (clean: CleanRecord) => boolean;
}

type Blocks = readonly { type: string; content?: unknown; source?: { type: string } }[];

function hasFeature(clean: CleanRecord, ...features: string[]): boolean {
  return clean.record.features.some((feature) => features.includes(feature));
}

function hasThinking(clean: CleanRecord): boolean {
  return clean.record.features.some((feature) => feature.startsWith('thinking'));
}

const DOCUMENTS = ['document', 'document_text', 'search_result', 'citations'];

/**
 * Returns whether a record has thinking of earlier turns on a model that keeps it. These records are scored separately,
 * with the option `keepsEarlierThinking`.
 */
function keepsEarlierThinking(clean: CleanRecord): boolean {
  const model = resolveModel(clean.request.model);
  if (model === undefined || !modelKeepsThinking(model)) return false;
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
  includes: (clean) => !keepsEarlierThinking(clean),
};

/** Records that rules count exactly: without thinking, PDFs, documents, search results, citations. */
export const exactByRule: Group = {
  title: 'Without thinking, PDFs and documents',
  includes: (clean) => inScope.includes(clean) && !hasThinking(clean) && !hasFeature(clean, 'pdf', ...DOCUMENTS),
};

/** Tools of the provider that its count endpoint rejects. */
const SERVER_TOOLS = /^(?:web_search|web_fetch|code_execution|tool_search_tool|advisor)_/;

/** Records of `exactByRule` that the provider's count endpoint accepts. */
export const countable: Group = {
  title: 'The same, without tools that the provider runs',
  includes: (clean) =>
    exactByRule.includes(clean) && clean.request.tools?.some(({ type }) => SERVER_TOOLS.test(type ?? '')) !== true,
};

const createFamilyGroup = (title: string, ...generations: string[]): Group => ({
  title,
  includes: (clean) =>
    inScope.includes(clean) && generations.includes(resolveModel(clean.request.model)?.generation ?? ''),
});

export const families: readonly Group[] = [
  createFamilyGroup('Claude 3, 3.5, 3.7', '3'),
  createFamilyGroup('Claude 4, 4.1', '4'),
  createFamilyGroup('Claude 4.5', '4.5'),
  createFamilyGroup('Claude 4.6', '4.6'),
  createFamilyGroup('Claude Opus 4.7', '4.7'),
  createFamilyGroup('Claude Opus 4.8 and the 5 series', '5', '5.5'),
];

const createFeatureGroup = (title: string, includes: Group['includes']): Group => ({
  title,
  includes: (clean) => inScope.includes(clean) && includes(clean),
});
const hasSchema = ({ request }: CleanRecord): boolean =>
  (request.output_config?.format ?? request.output_format) != null;

export const features: readonly Group[] = [
  createFeatureGroup(
    'One message of text',
    (clean) => exactByRule.includes(clean) && clean.record.features.every((name) => name === 'text'),
  ),
  createFeatureGroup(
    'Text in several turns',
    (clean) =>
      exactByRule.includes(clean) &&
      hasFeature(clean, 'multi_turn') &&
      !hasFeature(clean, 'tools', 'tool_use', 'image'),
  ),
  createFeatureGroup('System prompt', (clean) => hasFeature(clean, 'system')),
  createFeatureGroup('Tools, no calls yet', (clean) => hasFeature(clean, 'tools') && !hasFeature(clean, 'tool_use')),
  createFeatureGroup('Tool calls and results', (clean) => hasFeature(clean, 'tool_use')),
  createFeatureGroup('Forced tool choice', (clean) => hasFeature(clean, 'tool_choice:any', 'tool_choice:tool')),
  createFeatureGroup('Output schema', hasSchema),
  createFeatureGroup('Images', (clean) => hasFeature(clean, 'image')),
  createFeatureGroup('Thinking', hasThinking),
  createFeatureGroup('PDFs', (clean) => hasFeature(clean, 'pdf')),
  createFeatureGroup('Text documents, search results, citations', (clean) => hasFeature(clean, ...DOCUMENTS)),
];

export const earlierThinking: Group = {
  title: 'Kept earlier thinking (with `keepsEarlierThinking`)',
  includes: keepsEarlierThinking,
};
