import { type Problem, validationError } from './problem.ts';

const EMPTY_MESSAGE = 'all messages must have non-empty content except for the optional final assistant message';

/** Block types that only one role may write. */
const roleByBlockType = new Map<string, 'user' | 'assistant'>([
  ['tool_use', 'assistant'],
  ['server_tool_use', 'assistant'],
  ['thinking', 'assistant'],
  ['redacted_thinking', 'assistant'],
  ['tool_result', 'user'],
]);

export type ApiVersion = '2023-06-01' | '2026-10-21';

/** A message whose shape is valid. */
export interface CheckedMessage {
  role: 'user' | 'assistant';
  content: string | readonly { type: string }[];
}

type Block = { type: string; [field: string]: unknown };

/**
 * Tracks the tool calls of a conversation. The next user turn must answer each call of an assistant turn, and each
 * result must answer such a call. A turn is a sequence of messages with one role, which the counter merges.
 */
class ToolPairing {
  /** Calls of the last assistant turn, with the index of their message. */
  private openCalls = new Map<string, number>();
  private answeredCalls = new Set<string>();
  private role = '';

  /** Must be called for each message before its blocks. */
  beginMessage(role: string): Problem | undefined {
    if (role === this.role) return undefined;
    this.role = role;
    if (role !== 'assistant') return undefined;
    const problem = this.findUnanswered();
    this.openCalls = new Map();
    this.answeredCalls = new Set();
    return problem;
  }

  addCall(id: string, message: number): Problem | undefined {
    // The real API allows a later turn to reuse an id.
    if (this.openCalls.has(id)) return validationError('`tool_use` ids must be unique', 'messages');
    this.openCalls.set(id, message);
    return undefined;
  }

  addResult(id: string, path: string): Problem | undefined {
    if (!this.openCalls.has(id)) {
      return validationError(
        `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. ` +
          `Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
        path,
      );
    }
    if (this.answeredCalls.has(id)) {
      return validationError(
        `each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
        path,
      );
    }
    this.answeredCalls.add(id);
    return undefined;
  }

  /** Returns the problem of calls without a result, after the turn that must contain the results. */
  findUnanswered(): Problem | undefined {
    if (this.openCalls.size === this.answeredCalls.size) return undefined;
    const missing = [...this.openCalls].filter(([id]) => !this.answeredCalls.has(id));
    const [first] = missing;
    const ids = missing
      .slice(0, 20)
      .map(([id]) => id)
      .join(', ');
    return validationError(
      `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. ` +
        `Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
      `messages.${first![1]}`,
    );
  }
}

/**
 * Checks rules within and between messages of valid shape: roles of blocks, no empty content, calls paired with
 * results.
 */
export class ConversationRules {
  private readonly version: ApiVersion;
  private readonly pairing = new ToolPairing();

  constructor(version: ApiVersion) {
    this.version = version;
  }

  checkMessage({ role, content }: CheckedMessage, index: number, isLast: boolean): Problem | undefined {
    const pairingProblem = this.pairing.beginMessage(role);
    if (pairingProblem) return pairingProblem;
    if (content.length === 0)
      return isLast && role === 'assistant' ? undefined : validationError(EMPTY_MESSAGE, `messages.${index}`);
    if (typeof content === 'string') return findEmptyTextProblem(content, 'messages');
    // The provider writes blocks of a single space next to tool calls.
    const mayBeBlank =
      role === 'assistant' && content.some(({ type }) => type === 'server_tool_use' || type === 'tool_use');
    for (let blockIndex = 0; blockIndex < content.length; blockIndex += 1) {
      const problem = this.checkBlock(content[blockIndex] as Block, role, index, blockIndex, mayBeBlank);
      if (problem) return problem;
    }
    return undefined;
  }

  /** Must be called after the last message. */
  finish(): Problem | undefined {
    return this.pairing.findUnanswered();
  }

  private checkBlock(
    block: Block,
    role: string,
    index: number,
    blockIndex: number,
    mayBeBlank: boolean,
  ): Problem | undefined {
    if (block.type === 'text') {
      const text = block['text'] as string;
      return text !== '' && mayBeBlank && isBlank(text)
        ? undefined
        : (findEmptyTextProblem(text, 'messages') ?? this.checkCitations(block, role, index, blockIndex));
    }
    const requiredRole = roleByBlockType.get(block.type);
    const path = `messages.${index}.content.${blockIndex}`;
    if (requiredRole && requiredRole !== role)
      return validationError(`\`${block.type}\` blocks can only be in \`${requiredRole}\` messages`, path);
    if (block.type === 'tool_use') return this.pairing.addCall(block['id'] as string, index);
    if (block.type === 'tool_result') return this.pairing.addResult(block['tool_use_id'] as string, path);
    return this.version === '2026-10-21' ? checkNewerVersion(block, role, path) : undefined;
  }

  private checkCitations(block: Block, role: string, index: number, blockIndex: number): Problem | undefined {
    const hasForbiddenCitations = role === 'user' && this.version === '2026-10-21' && hasCitations(block);
    return hasForbiddenCitations
      ? validationError(CITATIONS_NOT_ACCEPTED, `messages.${index}.content.${blockIndex}.citations`)
      : undefined;
  }
}

const CITATIONS_NOT_ACCEPTED =
  'text blocks with citations are only accepted in assistant messages as of version 2026-10-21';

const hasCitations = (block: object): boolean =>
  'citations' in block && Array.isArray(block.citations) && block.citations.length > 0;

/** Returns the problem of a block that version 2026-10-21 rejects, as documented for that version. */
function checkNewerVersion(block: Block, role: string, path: string): Problem | undefined {
  if (block.type === 'document' && role === 'assistant') {
    return validationError('`document` blocks are not accepted in assistant messages as of version 2026-10-21', path);
  }
  if (block.type !== 'search_result') return undefined;
  const citedIndex = (block['content'] as object[]).findIndex(hasCitations);
  return citedIndex === -1
    ? undefined
    : validationError(CITATIONS_NOT_ACCEPTED, `${path}.content.${citedIndex}.citations`);
}

const EMPTY_TEXT = 'text content blocks must be non-empty';
const BLANK_TEXT = 'text content blocks must contain non-whitespace text';

/** Returns whether a text is only white space. Stops at the first other character. */
function isBlank(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > 0x20 && code < 0x85) return false;
    if (code > 0x20 && !/\s|\u0085/.test(text[index]!)) return false;
    if (code <= 0x20 && code !== 0x20 && (code < 9 || code > 13) && (code < 0x1c || code > 0x1f)) return false;
  }
  return true;
}

/**
 * Returns the problem of an empty text block. `field` is the top-level field, because the real API names no other
 * place.
 */
export function findEmptyTextProblem(text: string, field: string): Problem | undefined {
  if (text === '') return validationError(EMPTY_TEXT, field);
  return isBlank(text) ? validationError(BLANK_TEXT, field) : undefined;
}
