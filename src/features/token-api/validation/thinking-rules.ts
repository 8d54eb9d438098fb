import { type Block, type CheckedMessage, type CheckedRequest, getBlocks } from './checked-request.ts';
import { type Problem, validationError } from './problem.ts';

/** Returns the first problem of thinking blocks and of the thinking settings. */
export function findThinkingProblem(request: CheckedRequest, thinksByDefault: boolean): Problem | undefined {
  return (
    findBlockProblem(request.messages) ??
    findForcedChoiceProblem(request) ??
    findFinalTurnProblem(request, thinksByDefault)
  );
}

const isThinking = ({ type }: Block): boolean => type === 'thinking' || type === 'redacted_thinking';

function findBlockProblem(messages: readonly CheckedMessage[]): Problem | undefined {
  for (let message = 0; message < messages.length; message += 1) {
    const { content } = messages[message]!;
    if (typeof content === 'string') continue;
    for (let index = 0; index < content.length; index += 1) {
      const block = content[index]!;
      if (!isThinking(block)) continue;
      const path = `messages.${message}.content.${index}`;
      const problem =
        block.type === 'thinking' ? findUnsignedProblem(block, path) : findMissingDataProblem(block, path);
      if (problem) return problem;
    }
  }
  return undefined;
}

/** Returns the problem of a thinking block without a signature, which holds the whole thinking even if the text is empty. */
function findUnsignedProblem(block: Block, path: string): Problem | undefined {
  if ((block['signature'] as string).trim() !== '') return undefined;
  return (block['thinking'] as string).trim() === ''
    ? validationError('each thinking block must contain thinking', `${path}.thinking`)
    : validationError('Invalid `signature` in `thinking` block', path);
}

function findMissingDataProblem(block: Block, path: string): Problem | undefined {
  return (block['data'] as string).trim() === ''
    ? validationError('Invalid `data` in `redacted_thinking` block', path)
    : undefined;
}

function findForcedChoiceProblem({ thinking, tool_choice: choice }: CheckedRequest): Problem | undefined {
  const isForced = choice?.type === 'any' || choice?.type === 'tool';
  // Counts with adaptive thinking and a forced tool are recorded.
  return isForced && thinking?.type === 'enabled'
    ? validationError('Thinking may not be enabled when tool_choice forces tool use.')
    : undefined;
}

const DOCUMENTATION = 'https://docs.claude.com/en/docs/build-with-claude/extended-thinking';

/** Checks the assistant turn that the model continues: the last one, unless a user turn follows it. */
function findFinalTurnProblem({ messages, thinking }: CheckedRequest, thinksByDefault: boolean): Problem | undefined {
  const turn = findContinuedMessages(messages);
  const last = turn.at(-1);
  if (!last) return undefined;
  const isPrefill = last.index === messages.length - 1;
  if (thinking?.type === 'disabled' || (thinking?.type === undefined && !thinksByDefault))
    return isPrefill ? findForbiddenProblem(last) : undefined;
  const problem = isPrefill ? findFinalBlockProblem(last) : undefined;
  if (problem) return problem;
  // Adaptive thinking may begin a turn without thinking.
  const needsThinking = thinking?.type === 'enabled' && !turn.some(({ blocks }) => blocks[0] && isThinking(blocks[0]));
  return needsThinking ? missingThinkingError(last) : undefined;
}

/** Returns the problem of thinking in the last message while thinking is off. */
function findForbiddenProblem({ index, blocks }: AssistantMessage): Problem | undefined {
  const place = blocks.findIndex(isThinking);
  if (place === -1) return undefined;
  return validationError(
    `When thinking is disabled, an \`assistant\` message in the final position cannot contain ` +
      `\`${blocks[place]!.type}\`. To use thinking blocks, enable \`thinking\` in your request.`,
    `messages.${index}.content.${place}`,
  );
}

/** Returns the problem of a prefilled answer that ends with thinking. */
function findFinalBlockProblem({ index, blocks }: AssistantMessage): Problem | undefined {
  const block = blocks.at(-1);
  return block && isThinking(block)
    ? validationError(`The final block in an assistant message cannot be \`${block.type}\`.`, `messages.${index}`)
    : undefined;
}

function missingThinkingError({ index, blocks }: AssistantMessage): Problem {
  return validationError(
    `Expected \`thinking\` or \`redacted_thinking\`, but found \`${blocks[0]?.type ?? 'text'}\`. When ` +
      '`thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost ' +
      'set of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To ' +
      `avoid this requirement, disable \`thinking\`. Please consult our documentation at ${DOCUMENTATION}`,
    `messages.${index}.content.0.type`,
  );
}

interface AssistantMessage {
  index: number;
  blocks: readonly Block[];
}

/** Returns the assistant messages after the last user message that holds anything but tool results. */
function findContinuedMessages(messages: readonly CheckedMessage[]): AssistantMessage[] {
  const found: AssistantMessage[] = [];
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const { role, content } = messages[index]!;
    if (role === 'user' && (typeof content === 'string' || content.some(({ type }) => type !== 'tool_result'))) break;
    if (role === 'assistant') found.unshift({ index, blocks: getBlocks(content) });
  }
  return found;
}
