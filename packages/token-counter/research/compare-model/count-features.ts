/** Counts in a request what may cost a model a constant number of tokens more or less than another one. */
import type { ContentBlock, CountTokensRequest, ToolDefinition } from '../../src/index.ts';

type ToolResultBlock = Extract<ContentBlock, { type: 'tool_result' }>;

/** Number of occurrences by the name of a feature. An absent feature occurs 0 times. */
export type FeatureCounts = ReadonlyMap<string, number>;

const FRAME = 'request';
export const TOOL_PROMPT = { auto: 'tool prompt, automatic choice', forced: 'tool prompt, forced choice' } as const;

/** Where the value of a feature is kept, for the features whose names do not say it. */
export const PLACES: Readonly<Record<string, string>> = {
  [FRAME]: 'start of a prompt in src/prompt/write-turns.ts',
  'further turn': 'src/prompt/write-turns.ts',
  [TOOL_PROMPT.auto]: 'toolPrompt.auto of the row',
  [TOOL_PROMPT.forced]: 'toolPrompt.forced of the row',
  'citations requested': 'citationInstructions in src/prompt/fitted.ts',
  'thinking, enabled': 'thinkingEnabled in src/prompt/fitted.ts',
  'output schema': 'outputSchema in src/prompt/fitted.ts',
  'empty tool result': 'src/prompt/write-results.ts',
};

/**
 * Features whose tokens differ between models that are known. Of two features that explain the same rows, the first of
 * these is preferred.
 */
export const KNOWN_TO_DIFFER: readonly string[] = [
  FRAME,
  TOOL_PROMPT.auto,
  TOOL_PROMPT.forced,
  'citations requested',
  'thinking, enabled',
  'thinking, adaptive',
  'thinking',
  'output schema',
  'no parallel calls, automatic choice',
  'no parallel calls, forced choice',
  'empty tool result',
  'deferred tools',
  'PDF',
  'text document',
];

/** Returns the features of a request. */
export function countFeatures(request: CountTokensRequest): FeatureCounts {
  const features = new Map<string, number>();
  const add = (name: string, amount: number | boolean): void => {
    if (Number(amount) > 0) features.set(name, (features.get(name) ?? 0) + Number(amount));
  };
  const { messages } = request;
  add(FRAME, 1);
  add('further turn', messages.filter(({ role }, index) => index > 0 && role !== messages[index - 1]?.role).length);
  add('system text', request.system != null && request.system.length > 0);
  addTools(request, add);
  add('output schema', (request.output_config?.format ?? request.output_format) != null);
  if (request.thinking != null) add(`thinking, ${request.thinking.type}`, 1);
  if (request.output_config?.effort != null) add(`effort, ${request.output_config.effort}`, 1);
  add('task budget', request.output_config?.task_budget != null);
  add('prefilled answer', messages.at(-1)?.role === 'assistant');
  for (const { role, content } of messages) {
    add('system turn', role === 'system');
    if (typeof content === 'string' || content === undefined) continue;
    const results = content.filter((block) => block.type === 'tool_result');
    add('turn with results', results.length > 0);
    add('one of several results', results.length > 1 ? results.length : 0);
    add('further text block', Math.max(0, content.filter(({ type }) => type === 'text').length - 1));
    for (const block of content) addBlock(block, '', add);
  }
  add('citations requested', (features.get('cited source') ?? 0) > 0);
  return features;
}

type Add = (name: string, amount: number | boolean) => void;

function addTools({ tools, tool_choice: choice }: CountTokensRequest, add: Add): void {
  if (tools == null || tools.length === 0) return;
  const isForced = choice?.type === 'any' || choice?.type === 'tool';
  add(isForced ? TOOL_PROMPT.forced : TOOL_PROMPT.auto, 1);
  add('named tool choice', choice?.type === 'tool');
  if (choice != null && 'disable_parallel_tool_use' in choice && choice.disable_parallel_tool_use === true)
    add(`no parallel calls, ${isForced ? 'forced' : 'automatic'} choice`, 1);
  add('deferred tools', tools.some(isDeferred));
  for (const tool of tools.filter((each) => !isDeferred(each)))
    add(tool.type == null || tool.type === 'custom' ? 'tool definition' : `tool ${tool.type}`, 1);
}

const isDeferred = (tool: ToolDefinition): boolean => tool.defer_loading === true;

/** Adds a block, and the blocks within a result with ` in a result` behind their names. */
function addBlock(block: ContentBlock, place: string, add: Add): void {
  if ('citations' in block && isEnabled(block.citations)) add('cited source', 1);
  switch (block.type) {
    case 'text':
      return;
    case 'tool_result':
      addResult(block, add);
      return;
    case 'document':
      add(`${block.source.type === 'base64' ? 'PDF' : 'text document'}${place}`, 1);
      add('title of a document', block.title != null && block.title !== '');
      return;
    default:
      add(`${block.type.replaceAll('_', ' ')}${place}`, 1);
  }
}

function isEnabled(citations: unknown): boolean {
  return typeof citations === 'object' && citations !== null && 'enabled' in citations && citations.enabled === true;
}

function addResult({ content, is_error }: ToolResultBlock, add: Add): void {
  add('tool result', 1);
  add('failed tool result', is_error === true);
  const blocks = Array.isArray(content) ? (content as readonly ContentBlock[]) : [];
  const isEmpty = typeof content === 'string' ? content === '' : blocks.length === 0;
  add('empty tool result', isEmpty);
  add('tool result without content', content == null);
  add('tool result of an empty text', content === '');
  add('tool result of an empty list', isEmpty && Array.isArray(content));
  for (const block of blocks) addBlock(block, ' in a result', add);
}
