import { type ApiVersion, type Block, type CheckedMessage, getBlocks } from './checked-request.ts';
import { prependPath, type Problem, validationError } from './problem.ts';
import { endsWithSpace, findCachedEmptyTextProblem, findEmptyTextProblem, isBlank } from './text-rules.ts';

/** Block types that only one role may write. */
const roleByBlockType = new Map<string, 'user' | 'assistant'>([
  ['tool_use', 'assistant'],
  ['tool_result', 'user'],
]);

/** Returns the first problem within a message: roles of blocks, empty content, citations. */
export function findMessageProblem(messages: readonly CheckedMessage[], version: ApiVersion): Problem | undefined {
  for (let index = 0; index < messages.length; index += 1) {
    const message = messages[index]!;
    if (message.role === 'system') continue;
    const problem =
      findEmptyTurnProblem(messages, index) ??
      findRoleProblem(message, index, version) ??
      findBlockProblem(message, index, version);
    if (problem) return problem;
  }
  return undefined;
}

/**
 * Returns the problem of a user turn whose messages are all empty, at its first message. The real API accepts an empty
 * assistant message at any place since 2026-07.
 */
function findEmptyTurnProblem(messages: readonly CheckedMessage[], index: number): Problem | undefined {
  if (messages[index]!.role !== 'user' || messages[index]!.content.length > 0) return undefined;
  if (index > 0 && messages[index - 1]!.role === 'user') return undefined;
  for (let next = index + 1; next < messages.length && messages[next]!.role === 'user'; next += 1)
    if (messages[next]!.content.length > 0) return undefined;
  return validationError('user messages must have non-empty content', `messages.${index}`);
}

function findRoleProblem({ role, content }: CheckedMessage, message: number, version: ApiVersion): Problem | undefined {
  if (typeof content === 'string') return undefined;
  for (let index = 0; index < content.length; index += 1) {
    const { type } = content[index]!;
    const requiredRole = roleByBlockType.get(type);
    if (requiredRole && requiredRole !== role) {
      return validationError(`\`${type}\` blocks can only be in \`${requiredRole}\` messages`, `messages.${message}`);
    }
    if (role === 'assistant' && isUserOnly(type, version))
      return validationError(
        `'${type}' blocks are not permitted within assistant turns`,
        `messages.${message}.content`,
      );
  }
  return undefined;
}

/** The version 2026-10-21 is documented to refuse documents of the assistant, which the older one accepts. */
function isUserOnly(type: string, version: ApiVersion): boolean {
  return type === 'image' || type === 'container_upload' || (type === 'document' && version === '2026-10-21');
}

function findBlockProblem(message: CheckedMessage, index: number, version: ApiVersion): Problem | undefined {
  const { role, content } = message;
  if (typeof content === 'string') return content === '' ? undefined : findEmptyTextProblem(content, 'messages');
  // Blank text is counted beside other content of its message, as reports of 2026-09 show.
  const mayBeBlank = content.some((block) => block.type !== 'text' || !isBlank(block['text'] as string));
  for (let blockIndex = 0; blockIndex < content.length; blockIndex += 1) {
    const block = content[blockIndex]!;
    const problem = findTextProblem(block, mayBeBlank) ?? findCitationProblem(block, role, version);
    if (problem) return locate(problem, `messages.${index}.content.${blockIndex}`);
  }
  return undefined;
}

/** Prepends the path of the block, except to `messages`, the only place that the real API names for some problems. */
const locate = (problem: Problem, path: string): Problem =>
  problem.path === 'messages' ? problem : prependPath(path, problem);

function findTextProblem(block: Block, mayBeBlank: boolean): Problem | undefined {
  if (block.type !== 'text') return undefined;
  const text = block['text'] as string;
  if (text !== '' && mayBeBlank && isBlank(text)) return undefined;
  return findCachedEmptyTextProblem(block, 'text') ?? findEmptyTextProblem(text, 'messages');
}

const CITATIONS_NOT_ACCEPTED =
  'text blocks with citations are only accepted in assistant messages as of version 2026-10-21';

const hasCitations = ({ citations }: Block): boolean => Array.isArray(citations) && citations.length > 0;

/** Returns the problem of citations that version 2026-10-21 rejects, as documented for that version. */
function findCitationProblem(block: Block, role: string, version: ApiVersion): Problem | undefined {
  if (version !== '2026-10-21') return undefined;
  if (block.type === 'text' && role === 'user' && hasCitations(block))
    return validationError(CITATIONS_NOT_ACCEPTED, 'text.citations');
  if (block.type !== 'search_result') return undefined;
  const citedIndex = getBlocks(block['content']).findIndex(hasCitations);
  return citedIndex === -1
    ? undefined
    : validationError(CITATIONS_NOT_ACCEPTED, `search_result.content.${citedIndex}.citations`);
}

/** Returns the problem of a text at the end of the conversation that the model cannot continue. */
export function findPrefillProblem(messages: readonly CheckedMessage[]): Problem | undefined {
  const { role, content } = messages.at(-1)!;
  if (role !== 'assistant') return undefined;
  const lastBlock = getBlocks(content).at(-1);
  const text = typeof content === 'string' ? content : lastBlock?.type === 'text' && (lastBlock['text'] as string);
  return typeof text === 'string' && endsWithSpace(text)
    ? validationError('final assistant content cannot end with trailing whitespace', 'messages')
    : undefined;
}
