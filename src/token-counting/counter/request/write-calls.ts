import type { Context } from './context.ts';
import type { PlacedBlock } from './placed-block.ts';
import { CALLS_CLOSE, CALLS_OPEN, invocation } from './tool-calls.ts';

/** Special generations: tokens of the block around the calls, in place of its markup, and of the line break that
 * divides it from text before it (7 requests of three sources). */
const SPECIAL_CALLS = 2;
const SPECIAL_BREAK = 1;

/** Writes neighbouring tool calls as one block; `afterText`: text of the same turn stands before them. */
export function writeCalls(context: Context, calls: readonly PlacedBlock[], afterText: boolean): void {
  const { prompt } = context;
  const special = context.rules.turns === 'special';
  prompt.skipBlank();
  if (special) prompt.charge(SPECIAL_CALLS + (afterText ? SPECIAL_BREAK : 0), 'tool_use', calls[0]?.path);
  else prompt.write(`\n\n${CALLS_OPEN}`, 'tool_use', calls[0]?.path);
  for (const { block, path } of calls) {
    if (block.type !== 'tool_use') continue;
    context.callNames.set(block.id, block.name);
    prompt.write(invocation(block), 'tool_use', path);
  }
  if (!special) prompt.write(CALLS_CLOSE, 'tool_use', calls[0]?.path);
}
