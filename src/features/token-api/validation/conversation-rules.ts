import { type Problem, refuse } from './problem.ts';

const EMPTY_MESSAGE = 'all messages must have non-empty content except for the optional final assistant message';

/** Blocks that only one side of the conversation writes. */
const writtenBy = new Map<string, 'user' | 'assistant'>([
  ['tool_use', 'assistant'],
  ['server_tool_use', 'assistant'],
  ['thinking', 'assistant'],
  ['redacted_thinking', 'assistant'],
  ['tool_result', 'user'],
]);

export type ApiVersion = '2023-06-01' | '2026-10-21';

/** A message whose shape has been checked. */
export interface CheckedMessage {
  role: 'user' | 'assistant';
  content: string | readonly { type: string }[];
}

type Block = { type: string; [field: string]: unknown };

/**
 * Follows the tool calls of a conversation: each call of an assistant turn is answered in the user turn right behind
 * it, each result answers such a call. A turn is a run of messages of one role, which the counter merges into one.
 */
class ToolPairing {
  /** Calls of the newest assistant turn, and the message that made each. */
  private open = new Map<string, number>();
  private answered = new Set<string>();
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
    // A later turn may use an id again, as the service lets it.
    if (this.open.has(id)) return refuse('`tool_use` ids must be unique', 'messages');
    this.open.set(id, message);
    return undefined;
  }

  result(id: string, place: string): Problem | undefined {
    if (!this.open.has(id)) {
      return refuse(
        `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. ` +
          `Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
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
      `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. ` +
        `Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
      `messages.${first![1]}`,
    );
  }
}

/** The rules between and within messages whose shape is right: who may say what, nothing empty, calls and results in
 * pairs. */
export class ConversationRules {
  private readonly version: ApiVersion;
  private readonly pairing = new ToolPairing();

  constructor(version: ApiVersion) {
    this.version = version;
  }

  message({ role, content }: CheckedMessage, index: number, isLast: boolean): Problem | undefined {
    const unpaired = this.pairing.enter(role);
    if (unpaired) return unpaired;
    if (content.length === 0)
      return isLast && role === 'assistant' ? undefined : refuse(EMPTY_MESSAGE, `messages.${index}`);
    if (typeof content === 'string') return emptyTextProblem(content, 'messages');
    // The provider itself writes blocks of a single blank beside calls of tools.
    const mayBeBlank =
      role === 'assistant' && content.some(({ type }) => type === 'server_tool_use' || type === 'tool_use');
    for (let at = 0; at < content.length; at += 1) {
      const problem = this.block(content[at] as Block, role, index, at, mayBeBlank);
      if (problem) return problem;
    }
    return undefined;
  }

  /** To be called after the last message. */
  end(): Problem | undefined {
    return this.pairing.unanswered();
  }

  private block(block: Block, role: string, index: number, at: number, mayBeBlank: boolean): Problem | undefined {
    if (block.type === 'text') {
      const text = block['text'] as string;
      return text !== '' && mayBeBlank && isBlank(text)
        ? undefined
        : (emptyTextProblem(text, 'messages') ?? this.citedText(block, role, index, at));
    }
    const writer = writtenBy.get(block.type);
    const place = `messages.${index}.content.${at}`;
    if (writer && writer !== role)
      return refuse(`\`${block.type}\` blocks can only be in \`${writer}\` messages`, place);
    if (block.type === 'tool_use') return this.pairing.call(block['id'] as string, index);
    if (block.type === 'tool_result') return this.pairing.result(block['tool_use_id'] as string, place);
    return this.version === '2026-10-21' ? newerRules(block, role, place) : undefined;
  }

  private citedText(block: Block, role: string, index: number, at: number): Problem | undefined {
    const cited = role === 'user' && this.version === '2026-10-21' && hasCitations(block);
    return cited ? refuse(CITED, `messages.${index}.content.${at}.citations`) : undefined;
  }
}

const CITED = 'text blocks with citations are only accepted in assistant messages as of version 2026-10-21';

const hasCitations = (block: object): boolean =>
  'citations' in block && Array.isArray(block.citations) && block.citations.length > 0;

/** What version 2026-10-21 no longer takes (documented with it). */
function newerRules(block: Block, role: string, place: string): Problem | undefined {
  if (block.type === 'document' && role === 'assistant') {
    return refuse('`document` blocks are not accepted in assistant messages as of version 2026-10-21', place);
  }
  if (block.type !== 'search_result') return undefined;
  const cited = (block['content'] as object[]).findIndex(hasCitations);
  return cited === -1 ? undefined : refuse(CITED, `${place}.content.${cited}.citations`);
}

const EMPTY = 'text content blocks must be non-empty';
const BLANK = 'text content blocks must contain non-whitespace text';

/** Whether a text holds nothing but white space; looks no further than its first other character. */
function isBlank(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > 0x20 && code < 0x85) return false;
    if (code > 0x20 && !/\s|\u0085/.test(text[index]!)) return false;
    if (code <= 0x20 && code !== 0x20 && (code < 9 || code > 13) && (code < 0x1c || code > 0x1f)) return false;
  }
  return true;
}

/** Text blocks say something. `where` is the top-level field, the only place that the real API names. */
export function emptyTextProblem(text: string, where: string): Problem | undefined {
  if (text === '') return refuse(EMPTY, where);
  return isBlank(text) ? refuse(BLANK, where) : undefined;
}
