import type { Context } from './context.ts';
import type { Turn } from './merge-turns.ts';
import type { PlacedBlock } from './placed-block.ts';
import { writeCalls } from './write-calls.ts';
import { writeContent } from './write-content.ts';
import { writeResults } from './write-results.ts';

/** Special generations: tokens before the first turn, of each role marker, and of the pending answer's. */
const SPECIAL_START = 2;
const SPECIAL_MARKER = 2;
/** Text behind results opens a turn of its own, as in the older generations, on a new line. */
const SPECIAL_BREAK = 1;

/** Writes the conversation: role markers, contents, calls, results, and the marker of the pending answer. */
export function writeTurns(context: Context, turns: readonly Turn[]): void {
  if (turns[0]?.role === 'assistant') context.prompt.charge(context.fitted.overheads.standInUserTurn);
  if (context.rules.turns === 'special') writeSpecialTurns(context, turns);
  else writeTextTurns(context, turns);
}

function writeTextTurns(context: Context, turns: readonly Turn[]): void {
  const { prompt } = context;
  let last: 'text' | 'results' = 'text';
  for (const turn of turns) {
    if (turn.role === 'assistant') {
      if (last !== 'results') prompt.open('\n\nAssistant:');
      else if (!context.rules.breakAfterResults && turn.blocks[0]?.block.type !== 'tool_use') prompt.write('\n');
      last = 'text';
      writeBlocks(context, turn.blocks, turn.current);
      continue;
    }
    for (const group of groupResults(turn.blocks)) {
      if (group.results) {
        writeResults(context, group.blocks);
        last = 'results';
        continue;
      }
      prompt.open(turn.role === 'system' ? '\n\nSystem:' : '\n\nHuman:');
      last = 'text';
      writeBlocks(context, group.blocks, false);
    }
  }
  context.endsInResults = last === 'results';
  if (last === 'text' && turns.at(-1)?.role !== 'assistant') prompt.open('\n\nAssistant:');
}

function writeSpecialTurns(context: Context, turns: readonly Turn[]): void {
  const { prompt } = context;
  prompt.endRun();
  prompt.charge(SPECIAL_START);
  for (const turn of turns) {
    prompt.charge(SPECIAL_MARKER);
    groupResults(turn.blocks).forEach((group, index) => {
      if (group.results) return writeResults(context, group.blocks);
      if (index > 0) prompt.charge(SPECIAL_MARKER + SPECIAL_BREAK);
      writeBlocks(context, group.blocks, turn.current);
    });
    prompt.endRun();
  }
  if (turns.at(-1)?.role !== 'assistant') prompt.charge(SPECIAL_MARKER);
}

/** Content and calls in order; neighbouring calls share one block. */
function writeBlocks(context: Context, blocks: readonly PlacedBlock[], current: boolean): void {
  const turn = { blocks, current, withText: blocks.some(({ block }) => block.type === 'text') };
  let index = 0;
  while (index < blocks.length) {
    let end = index;
    while (blocks[end]?.block.type === 'tool_use') end++;
    if (end > index) {
      writeCalls(context, blocks.slice(index, end), blocks[index - 1]?.block.type === 'text');
      index = end;
      continue;
    }
    const placed = blocks[index];
    if (placed !== undefined) writeContent(context, placed, turn, index);
    index++;
  }
}

interface Group {
  results: boolean;
  blocks: PlacedBlock[];
}

function groupResults(blocks: readonly PlacedBlock[]): Group[] {
  const groups: Group[] = [];
  for (const placed of blocks) {
    const results = placed.block.type === 'tool_result';
    const last = groups.at(-1);
    if (last !== undefined && last.results === results) last.blocks.push(placed);
    else groups.push({ results, blocks: [placed] });
  }
  return groups.length > 0 ? groups : [{ results: false, blocks: [] }];
}
