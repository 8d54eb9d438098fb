import type { Message } from '../request-types.ts';
import type { LocatedBlock } from './located-block.ts';
import type { Prompt } from './prompt.ts';
import { splitAtServerResults } from './server-calls.ts';

/** Consecutive messages of one role, merged into a turn. */
export interface Turn {
  role: Message['role'];
  blocks: LocatedBlock[];
  /** Whether the turn belongs to the answer in progress: only user messages with tool results follow. */
  current: boolean;
}

/** Separates the messages of a turn. */
export const MESSAGE_BREAK: LocatedBlock = { block: { type: 'text', text: '\n' }, path: '' };

/**
 * Merges consecutive messages of one role with a line break (19 of 19 recorded requests). No line break is written
 * next to a tool result.
 */
export function mergeTurns(messages: readonly Message[], prompt: Prompt): Turn[] {
  const turns: Turn[] = [];
  const lastUserMessage = messages.findLastIndex(({ role }) => role === 'user');
  messages.forEach((message, index) => {
    if (message.role === 'system' && isHidden(message, index < lastUserMessage)) return;
    const located = locateBlocks(message, prompt.joinPath('messages', index), prompt);
    for (const { role, blocks } of splitAtServerResults(message.role, located)) appendBlocks(turns, role, blocks);
  });
  markCurrentTurns(turns);
  return turns;
}

/** Returns whether a system message is not shown to the model, as the types of the official client document. */
function isHidden({ content, clear_at }: Extract<Message, { role: 'system' }>, hasLaterUserMessage: boolean): boolean {
  return content === undefined || content.length === 0 || (clear_at === 'next_user_message' && hasLaterUserMessage);
}

function appendBlocks(turns: Turn[], role: Message['role'], blocks: LocatedBlock[]): void {
  const last = turns.at(-1);
  if (last === undefined || last.role !== role) {
    turns.push({ role, blocks, current: false });
    return;
  }
  const first = blocks[0];
  if (first === undefined) return;
  if (last.blocks.length > 0 && !(isToolResult(last.blocks.at(-1)) || isToolResult(first)))
    last.blocks.push(MESSAGE_BREAK);
  for (const block of blocks) last.blocks.push(block);
}

function locateBlocks(message: Message, path: string, prompt: Prompt): LocatedBlock[] {
  const content = message.content ?? [];
  const contentPath = prompt.joinPath(path, 'content');
  if (typeof content === 'string') return [{ block: { type: 'text', text: content }, path: contentPath }];
  return content.map((block, index) => ({ block, path: prompt.joinPath(contentPath, index) }));
}

function isToolResult(located: LocatedBlock | undefined): boolean {
  return located?.block.type === 'tool_result';
}

/**
 * Marks the current turns. A user message with content other than tool results ends the assistant's turn, so earlier
 * thinking does not count.
 */
function markCurrentTurns(turns: Turn[]): void {
  const lastUserIndex = turns.findLastIndex(({ role, blocks }) => role === 'user' && !blocks.every(isToolResult));
  for (const turn of turns.slice(lastUserIndex + 1)) turn.current = true;
}
