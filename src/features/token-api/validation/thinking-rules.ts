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

/** The signature holds the thinking, so the text may be empty only with a signature. */
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

/** Checks the assistant message that the model continues: the last one, unless a user turn follows it. */
function findFinalTurnProblem({ messages, thinking }: CheckedRequest, thinksByDefault: boolean): Problem | undefined {
  const turn = findContinuedMessages(messages);
  const last = turn.at(-1);
  if (!last) return undefined;
  const path = `messages.${last.index}`;
  if (thinking?.type === 'disabled' || (thinking === undefined && !thinksByDefault)) {
    const index = last.blocks.findIndex(isThinking);
    if (index === -1) return undefined;
    return validationError(
      `When thinking is disabled, an \`assistant\` message in the final position cannot contain ` +
        `\`${last.blocks[index]!.type}\`. To use thinking blocks, enable \`thinking\` in your request.`,
      `${path}.content.${index}`,
    );
  }
  const finalBlock = last.blocks.at(-1);
  if (finalBlock && isThinking(finalBlock) && last.index === messages.length - 1)
    return validationError(`The final block in an assistant message cannot be \`${finalBlock.type}\`.`, path);
  // Adaptive thinking may begin a turn without thinking.
  if (thinking?.type !== 'enabled' || turn.some(({ blocks }) => blocks[0] && isThinking(blocks[0]))) return undefined;
  return validationError(
    `Expected \`thinking\` or \`redacted_thinking\`, but found \`${last.blocks[0]?.type ?? 'text'}\`. When ` +
      '`thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost ' +
      'set of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To ' +
      `avoid this requirement, disable \`thinking\`. Please consult our documentation at ${DOCUMENTATION}`,
    `${path}.content.0.type`,
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
