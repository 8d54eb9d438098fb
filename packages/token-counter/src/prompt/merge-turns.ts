import type { Message } from '../request-types.ts';
import type { PlacedBlock } from './placed-block.ts';
import type { Prompt } from './prompt.ts';
import { divideAtServerResults } from './server-calls.ts';

/** Consecutive messages of one role, as one turn. */
export interface Turn {
  role: Message['role'];
  blocks: PlacedBlock[];
  /** The turn belongs to the answer that is being written: no user message but tool results follows. */
  current: boolean;
}

/** Stands between the messages that a turn was made of. */
export const MESSAGE_BREAK: PlacedBlock = { block: { type: 'text', text: '\n' }, path: '' };

/**
 * Combines consecutive messages of the same role: joined by a line break (19 of 19 recorded requests), except where one
 * ends with a tool result and the next begins with one, which then share a results block.
 */
export function mergeTurns(messages: readonly Message[], prompt: Prompt): Turn[] {
  const turns: Turn[] = [];
  messages.forEach((message, index) => {
    const placed = placeBlocks(message, prompt.path('messages', index), prompt);
    for (const { role, blocks } of divideAtServerResults(message.role, placed)) append(turns, role, blocks);
  });
  markCurrent(turns);
  return turns;
}

function append(turns: Turn[], role: Message['role'], blocks: PlacedBlock[]): void {
  const last = turns.at(-1);
  if (last === undefined || last.role !== role) {
    turns.push({ role, blocks, current: false });
    return;
  }
  const first = blocks[0];
  if (first === undefined) return;
  if (last.blocks.length > 0 && !(isResult(last.blocks.at(-1)) || isResult(first))) last.blocks.push(MESSAGE_BREAK);
  for (const block of blocks) last.blocks.push(block);
}

function placeBlocks(message: Message, path: string, prompt: Prompt): PlacedBlock[] {
  const content = message.content ?? [];
  const place = prompt.path(path, 'content');
  if (typeof content === 'string') return [{ block: { type: 'text', text: content }, path: place }];
  return content.map((block, index) => ({ block, path: prompt.path(place, index) }));
}

function isResult(placed: PlacedBlock | undefined): boolean {
  return placed?.block.type === 'tool_result';
}

/** A user message that holds anything but tool results ends the assistant's turn (thinking before it never counts). */
function markCurrent(turns: Turn[]): void {
  const ended = turns.findLastIndex(({ role, blocks }) => role !== 'assistant' && !blocks.every(isResult));
  for (const turn of turns.slice(ended + 1)) turn.current = true;
}
