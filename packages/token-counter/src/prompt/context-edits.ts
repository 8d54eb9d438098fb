import type { ContentBlock, CountTokensRequest, Message } from '../request-types.ts';

/** Replacement of a cleared result. The wording of the real API is unknown. */
const CLEARED_PLACEHOLDER = '[Tool result cleared]';
/** The defaults of the real API. */
const DEFAULT_TRIGGER = { type: 'input_tokens', value: 100_000 };
const DEFAULT_KEPT_USES = 3;

interface Amount {
  type: string;
  value: number;
}

/** The edit that clears results of older calls. Other edits do not change the count. */
interface ClearToolUses {
  type: 'clear_tool_uses_20250919';
  trigger?: Amount | null;
  keep?: Amount | null;
  clear_at_least?: Amount | null;
  clear_tool_inputs?: boolean | readonly string[] | null;
  exclude_tools?: readonly string[] | null;
}

type CountRequest = (request: CountTokensRequest) => number;

/**
 * Returns the request after the edits of its `context_management`, or the unchanged request if none applies. Thinking
 * of earlier turns is never counted, and a summary is written only when a message is created.
 * @param count counts a request without edits
 */
export function applyContextEdits(request: CountTokensRequest, count: CountRequest): CountTokensRequest {
  let edited = request;
  for (const edit of request.context_management?.edits ?? []) {
    if (!isClearing(edit)) continue;
    const cleared = clearToolUses(edited, edit, count);
    const minClearedTokens = edit.clear_at_least?.value ?? 0;
    if (cleared !== undefined && (minClearedTokens <= 0 || count(edited) - count(cleared) >= minClearedTokens))
      edited = cleared;
  }
  return edited;
}

const isClearing = (edit: object): edit is ClearToolUses => 'type' in edit && edit.type === 'clear_tool_uses_20250919';

function clearToolUses(
  request: CountTokensRequest,
  edit: ClearToolUses,
  count: CountRequest,
): CountTokensRequest | undefined {
  const calls = request.messages.flatMap(({ content }) =>
    typeof content === 'object' ? content.filter((block) => block.type === 'tool_use') : [],
  );
  const clearableCalls = calls
    .slice(0, Math.max(0, calls.length - (edit.keep?.value ?? DEFAULT_KEPT_USES)))
    .filter(({ name }) => edit.exclude_tools?.includes(name) !== true);
  if (clearableCalls.length === 0) return undefined;
  const { type, value } = edit.trigger ?? DEFAULT_TRIGGER;
  if ((type === 'tool_uses' ? calls.length : count(request)) <= value) return undefined;
  const ids = new Set(clearableCalls.map(({ id }) => id));
  const isInputCleared = (name: string): boolean =>
    typeof edit.clear_tool_inputs === 'object'
      ? edit.clear_tool_inputs?.includes(name) === true
      : edit.clear_tool_inputs === true;
  const clearBlock = (block: ContentBlock): ContentBlock => {
    if (block.type === 'tool_result' && ids.has(block.tool_use_id)) return { ...block, content: CLEARED_PLACEHOLDER };
    return block.type === 'tool_use' && ids.has(block.id) && isInputCleared(block.name)
      ? { ...block, input: {} }
      : block;
  };
  return { ...request, messages: request.messages.map((message) => mapContent(message, clearBlock)) };
}

function mapContent(message: Message, mapBlock: (block: ContentBlock) => ContentBlock): Message {
  return typeof message.content === 'object' ? { ...message, content: message.content.map(mapBlock) } : message;
}
