import type { Context } from './context.ts';
import type { Turn } from './merge-turns.ts';
import type { LocatedBlock } from './located-block.ts';
import { writeCalls } from './write-calls.ts';
import { writeContent } from './write-content.ts';
import { writeResults } from './write-results.ts';

/**
 * Tokens in generations with special tokens: before the first turn, of each role marker, and of the pending answer's
 * marker.
 */
const SPECIAL_START_TOKENS = 2;
const SPECIAL_MARKER_TOKENS = 2;
/**
 * Tokens of a new line after results if an image follows with the text (3 requests of one conversation). Text alone
 * adds none (6 requests of one source). Either opens a turn, as in the older generations.
 */
const SPECIAL_BREAK_TOKENS = 1;

/** Writes the conversation: role markers, contents, calls, results, and the marker of the pending answer. */
export function writeTurns(context: Context, turns: readonly Turn[]): void {
  if (turns[0]?.role === 'assistant') context.prompt.addTokens(context.fitted.overheads.implicitUserTurn);
  if (context.rules.roleMarkers === 'special') writeSpecialTurns(context, turns);
  else writeTextTurns(context, turns);
}

function writeTextTurns(context: Context, turns: readonly Turn[]): void {
  const { prompt } = context;
  let lastWritten: 'text' | 'results' = 'text';
  for (const turn of turns) {
    if (turn.role === 'assistant') {
      if (lastWritten !== 'results') prompt.openTurn('\n\nAssistant:');
      else if (!context.rules.breakAfterResults && turn.blocks[0]?.block.type !== 'tool_use') prompt.write('\n');
      lastWritten = 'text';
      writeBlocks(context, turn.blocks, turn.current);
      continue;
    }
    for (const group of groupResults(turn.blocks)) {
      if (group.isResults) {
        writeResults(context, group.blocks);
        lastWritten = 'results';
        continue;
      }
      prompt.openTurn(turn.role === 'system' ? '\n\nSystem:' : '\n\nHuman:');
      lastWritten = 'text';
      writeBlocks(context, group.blocks, false);
    }
  }
  context.endsInResults = lastWritten === 'results';
  if (lastWritten === 'text' && turns.at(-1)?.role !== 'assistant') prompt.openTurn('\n\nAssistant:');
}

function writeSpecialTurns(context: Context, turns: readonly Turn[]): void {
  const { prompt } = context;
  prompt.endSegment();
  prompt.addTokens(SPECIAL_START_TOKENS + (context.model.generation === '5.5' ? context.fitted.overheads.start55 : 0));
  for (const turn of turns) {
    prompt.addTokens(SPECIAL_MARKER_TOKENS);
    groupResults(turn.blocks).forEach((group, index) => {
      if (group.isResults) return writeResults(context, group.blocks);
      const hasImage = group.blocks.some(({ block }) => block.type === 'image');
      if (index > 0) prompt.addTokens(SPECIAL_MARKER_TOKENS + (hasImage ? SPECIAL_BREAK_TOKENS : 0));
      writeBlocks(context, group.blocks, turn.current);
    });
    prompt.endSegment();
  }
  if (turns.at(-1)?.role !== 'assistant') prompt.addTokens(SPECIAL_MARKER_TOKENS);
}

/** Writes content and calls in order. Adjacent calls share one block. */
function writeBlocks(context: Context, blocks: readonly LocatedBlock[], current: boolean): void {
  const list = { blocks, current, hasText: blocks.some(({ block }) => block.type === 'text') };
  let index = 0;
  while (index < blocks.length) {
    let end = index;
    while (blocks[end]?.block.type === 'tool_use') end++;
    if (end > index) {
      writeCalls(context, blocks.slice(index, end), blocks[index - 1]?.block.type === 'text');
      index = end;
      continue;
    }
    const located = blocks[index];
    if (located !== undefined) writeContent(context, located, list, index);
    index++;
  }
}

interface BlockGroup {
  isResults: boolean;
  blocks: LocatedBlock[];
}

function groupResults(blocks: readonly LocatedBlock[]): BlockGroup[] {
  const groups: BlockGroup[] = [];
  for (const located of blocks) {
    const isResults = located.block.type === 'tool_result';
    const lastGroup = groups.at(-1);
    if (lastGroup !== undefined && lastGroup.isResults === isResults) lastGroup.blocks.push(located);
    else groups.push({ isResults, blocks: [located] });
  }
  return groups.length > 0 ? groups : [{ isResults: false, blocks: [] }];
}
