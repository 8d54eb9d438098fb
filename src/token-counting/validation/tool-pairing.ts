import type { Problem } from './problem.ts';
import { refuse } from './problem.ts';

/**
 * Follows the tool calls of a conversation: each call of an assistant turn is answered in the user turn right behind it, each
 * result answers such a call. A turn is a run of messages of one role, which the counter merges into one.
 */
export class ToolPairing {
  /** Calls of the newest assistant turn, and the message that made each. */
  private open = new Map<string, number>();
  private answered = new Set<string>();
  private readonly everCalled = new Set<string>();
  private role = '';

  /** To be told of each message before its blocks. */
  enter(role: string): Problem | undefined {
    if (role === this.role) return undefined;
    this.role = role;
    if (role !== 'assistant') return undefined;
    const problem = this.unanswered();
    this.open = new Map();
    this.answered = new Set();
    return problem;
  }

  call(id: string, message: number): Problem | undefined {
    if (this.everCalled.has(id)) return refuse('`tool_use` ids must be unique', 'messages');
    this.everCalled.add(id);
    this.open.set(id, message);
    return undefined;
  }

  result(id: string, place: string): Problem | undefined {
    if (!this.open.has(id)) {
      return refuse(
        `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
        place,
      );
    }
    if (this.answered.has(id)) {
      return refuse(
        `each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
        place,
      );
    }
    this.answered.add(id);
    return undefined;
  }

  /** Calls without a result, once the turn that should hold the results is over. */
  unanswered(): Problem | undefined {
    if (this.open.size === this.answered.size) return undefined;
    const missing = [...this.open].filter(([id]) => !this.answered.has(id));
    const [first] = missing;
    const ids = missing
      .slice(0, 20)
      .map(([id]) => id)
      .join(', ');
    return refuse(
      `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
      `messages.${first![1]}`,
    );
  }
}
