import { type Block, type CheckedMessage, getBlocks } from './checked-request.ts';
import { type Problem, validationError } from './problem.ts';

/** Maximum number of ids in an error. */
const MAX_LISTED_IDS = 20;

/**
 * Tracks the calls of one assistant turn. The results must be the first blocks of the user turn after it. A turn is a
 * sequence of messages with one role, which the counter merges.
 */
class TurnCalls {
  /** Ids of the calls, with the index of their message. */
  private readonly calls = new Map<string, number>();
  private readonly answered = new Set<string>();
  /** Whether all blocks of the user turn so far are results. */
  private acceptsResults = true;

  addCall(id: string, message: number, index: number): Problem | undefined {
    // The real API allows a later turn to reuse an id.
    if (this.calls.has(id))
      return validationError('`tool_use` ids must be unique', `messages.${message}.content.${index}`);
    this.calls.set(id, message);
    return undefined;
  }

  /** Ends the results of the user turn. Must be called for each of its other blocks. */
  endResults(): void {
    this.acceptsResults = false;
  }

  addResult(id: string, path: string): Problem | undefined {
    if (!this.calls.has(id)) return unexpectedResultError(id, path);
    if (this.answered.has(id)) {
      return validationError(
        `each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
        path,
      );
    }
    // A result after other content does not count, so its call has none.
    if (!this.acceptsResults) return this.findUnanswered();
    this.answered.add(id);
    return undefined;
  }

  /** Returns the problem of calls without a result. */
  findUnanswered(): Problem | undefined {
    if (this.calls.size === this.answered.size) return undefined;
    const missing = [...this.calls].filter(([id]) => !this.answered.has(id));
    const ids = missing.slice(0, MAX_LISTED_IDS).map(([id]) => id);
    return validationError(
      `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(', ')}. ` +
        `Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
      `messages.${missing[0]![1]}`,
    );
  }
}

function unexpectedResultError(id: string, path: string): Problem {
  return validationError(
    `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. ` +
      `Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
    path,
  );
}

/** Returns the first problem of calls and their results. */
export function findToolCallProblem(messages: readonly CheckedMessage[]): Problem | undefined {
  let turn = new TurnCalls();
  let previousRole = '';
  for (let index = 0; index < messages.length; index += 1) {
    const { role, content } = messages[index]!;
    if (role === 'assistant' && previousRole !== 'assistant') {
      const problem = turn.findUnanswered();
      if (problem) return problem;
      turn = new TurnCalls();
    }
    previousRole = role;
    const problem = role === 'assistant' ? addCalls(turn, content, index) : addResults(turn, content, index);
    if (problem) return problem;
  }
  return turn.findUnanswered();
}

function addCalls(turn: TurnCalls, content: string | readonly Block[], message: number): Problem | undefined {
  if (typeof content === 'string') return undefined;
  for (let index = 0; index < content.length; index += 1) {
    const block = content[index]!;
    if (block.type !== 'tool_use') continue;
    const problem = turn.addCall(block['id'] as string, message, index);
    if (problem) return problem;
  }
  return undefined;
}

function addResults(turn: TurnCalls, content: string | readonly Block[], message: number): Problem | undefined {
  if (typeof content === 'string') {
    if (content !== '') turn.endResults();
    return undefined;
  }
  for (let index = 0; index < content.length; index += 1) {
    const block = content[index]!;
    if (block.type !== 'tool_result') {
      turn.endResults();
      continue;
    }
    const path = `messages.${message}.content.${index}`;
    const problem = turn.addResult(block['tool_use_id'] as string, path) ?? findErrorContentProblem(block, path);
    if (problem) return problem;
  }
  return undefined;
}

/** Returns the problem of a failed call whose result has anything but text. */
function findErrorContentProblem(block: Block, path: string): Problem | undefined {
  if (block['is_error'] !== true || getBlocks(block['content']).every(({ type }) => type === 'text')) return undefined;
  return validationError('all content must be type `text` if `is_error` is true', `${path}.tool_result`);
}
