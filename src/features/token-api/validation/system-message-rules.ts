import { type Block, type CheckedMessage, getBlocks } from './checked-request.ts';
import { FIELD_REQUIRED, type Problem, validationError } from './problem.ts';
import { findEmptyTextProblem, isBlank } from './text-rules.ts';

/** Rules of messages with the role `system`, whose sentences were published with measurements of 2026-08 and 2026-10. */

const UNEXPECTED_ROLE =
  'Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input ' +
  'message role.';
const FIRST_POSITION = "use the top-level 'system' parameter for the initial system prompt";
const ANY_POSITION = 'the directive-only form (content: [] with output_config) is accepted at any position';
const MUST_FOLLOW = `role 'system' must follow a 'user' message or an 'assistant' message ending in a server tool result; ${ANY_POSITION}`;
const MUST_PRECEDE = `role 'system' must precede an 'assistant' message or end the array; ${ANY_POSITION}`;
const ALLOWED_BLOCKS: ReadonlySet<string> = new Set(['text', 'tool_addition', 'tool_removal']);

/** A message with its index in the request. */
interface LocatedMessage extends CheckedMessage {
  index: number;
}

/** Returns the problem of a system message without content, which only one that sets the effort may lack. */
export function findMissingContent(messages: readonly Partial<CheckedMessage>[]): Problem | undefined {
  const index = messages.findIndex(
    ({ content, output_config }) => content === undefined && output_config?.effort == null,
  );
  return index === -1 ? undefined : validationError(FIELD_REQUIRED, `messages.${index}.content`);
}

/**
 * Returns the first problem of the system messages.
 * @param isSupported whether the model accepts them
 */
export function findSystemMessageProblem(
  messages: readonly CheckedMessage[],
  isSupported: boolean,
): Problem | undefined {
  if (!messages.some(({ role }) => role === 'system')) return undefined;
  if (!isSupported) return validationError(UNEXPECTED_ROLE, 'messages');
  const located = messages
    .map((message, index): LocatedMessage => ({ ...message, index }))
    .filter((message) => !isDirectiveOnly(message));
  const systemMessages = located.filter(({ role }) => role === 'system');
  return (
    findFirst(systemMessages, findContentProblem) ??
    findPositionProblem(located) ??
    findFirst(systemMessages, findTextProblem)
  );
}

/** A system message without content that sets the effort may stand at any position. */
function isDirectiveOnly({ role, content, output_config }: CheckedMessage): boolean {
  return role === 'system' && content.length === 0 && output_config?.effort != null;
}

function findFirst(
  messages: readonly LocatedMessage[],
  find: (message: LocatedMessage) => Problem | undefined,
): Problem | undefined {
  for (const message of messages) {
    const problem = find(message);
    if (problem) return problem;
  }
  return undefined;
}

function findContentProblem({ content, index }: LocatedMessage): Problem | undefined {
  if (content.length === 0)
    return validationError('system content must contain at least one block', `messages.${index}`);
  return getBlocks(content).some(({ type }) => !ALLOWED_BLOCKS.has(type))
    ? validationError("role 'system' supports text, tool_addition, and tool_removal blocks only", `messages.${index}`)
    : undefined;
}

/** Consecutive system messages are one section, of which only the first and the last position are checked. */
function findPositionProblem(located: readonly LocatedMessage[]): Problem | undefined {
  for (const [position, { role, index }] of located.entries()) {
    if (role !== 'system') continue;
    const previous = located[position - 1];
    if (previous === undefined) return validationError(`${FIRST_POSITION}; ${ANY_POSITION}`, `messages.${index}`);
    if (previous.role === 'assistant' && !endsInServerResult(getBlocks(previous.content)))
      return validationError(MUST_FOLLOW, `messages.${index}`);
    if (located[position + 1]?.role === 'user') return validationError(MUST_PRECEDE, `messages.${index}`);
  }
  return undefined;
}

function endsInServerResult(blocks: readonly Block[]): boolean {
  return blocks.at(-1)?.type.endsWith('_tool_result') ?? false;
}

function findTextProblem({ content, index }: LocatedMessage): Problem | undefined {
  const texts = typeof content === 'string' ? [content] : getTexts(content);
  for (const text of texts) {
    if (text === '') return findEmptyTextProblem(text, 'messages');
    if (isBlank(text))
      return validationError('system text blocks must contain non-whitespace text', `messages.${index}`);
  }
  return undefined;
}

const getTexts = (blocks: readonly Block[]): string[] =>
  blocks.filter(({ type }) => type === 'text').map((block) => block['text'] as string);
