import { type Block, type CheckedMessage, getBlocks } from './checked-request.ts';
import { type Problem, validationError } from './problem.ts';
import { findEmptyTextProblem, isBlank } from './text-rules.ts';

/** Rules of messages with the role `system`, whose sentences were published with measurements of 2026-08 and 2026-10. */

const UNEXPECTED_ROLE =
  'Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input ' +
  'message role.';
const ANY_POSITION = 'the directive-only form (content: [] with output_config) is accepted at any position';
const MUST_FOLLOW = `role 'system' must follow a 'user' message or an 'assistant' message ending in a server tool result; ${ANY_POSITION}`;
const MUST_PRECEDE = `role 'system' must precede an 'assistant' message or end the array; ${ANY_POSITION}`;
const ALLOWED_BLOCKS: ReadonlySet<string> = new Set(['text', 'tool_addition', 'tool_removal']);

/**
 * Returns the first problem of the system messages.
 * @param isSupported whether the model accepts them
 */
export function findSystemMessageProblem(
  messages: readonly CheckedMessage[],
  isSupported: boolean,
): Problem | undefined {
  if (!messages.some(({ role }) => role === 'system')) return undefined;
  if (!isSupported || messages[0]!.role === 'system') return validationError(UNEXPECTED_ROLE, 'messages');
  return findContentProblem(messages) ?? findPositionProblem(messages) ?? findTextProblem(messages);
}

function findContentProblem(messages: readonly CheckedMessage[]): Problem | undefined {
  for (const [index, { role, content }] of messages.entries()) {
    if (role !== 'system') continue;
    if (content.length === 0)
      return validationError('system content must contain at least one block', `messages.${index}`);
    if (getBlocks(content).some(({ type }) => !ALLOWED_BLOCKS.has(type))) {
      return validationError(
        "role 'system' supports text, tool_addition, and tool_removal blocks only",
        `messages.${index}`,
      );
    }
  }
  return undefined;
}

/** Consecutive system messages are one section, of which only the first and the last position are checked. */
function findPositionProblem(messages: readonly CheckedMessage[]): Problem | undefined {
  for (const [index, { role }] of messages.entries()) {
    if (role !== 'system') continue;
    const previous = messages[index - 1]!;
    if (previous.role === 'assistant' && !endsInServerResult(getBlocks(previous.content)))
      return validationError(MUST_FOLLOW, `messages.${index}`);
    if (messages[index + 1]?.role === 'user') return validationError(MUST_PRECEDE, `messages.${index}`);
  }
  return undefined;
}

function endsInServerResult(blocks: readonly Block[]): boolean {
  return blocks.at(-1)?.type.endsWith('_tool_result') ?? false;
}

function findTextProblem(messages: readonly CheckedMessage[]): Problem | undefined {
  for (const [index, { role, content }] of messages.entries()) {
    if (role !== 'system') continue;
    const texts = typeof content === 'string' ? [content] : getTexts(content);
    for (const text of texts) {
      if (text === '') return findEmptyTextProblem(text, 'messages');
      if (isBlank(text))
        return validationError('system text blocks must contain non-whitespace text', `messages.${index}`);
    }
  }
  return undefined;
}

const getTexts = (blocks: readonly Block[]): string[] =>
  blocks.filter(({ type }) => type === 'text').map((block) => block['text'] as string);
