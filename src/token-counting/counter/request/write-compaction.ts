import type { Context } from './context.ts';
import { FITTED } from './fitted.ts';

/** Writes the summary that stands for the conversation before it (4 of 4 recorded counts of two sources). */
export function writeCompaction(context: Context, block: object, path: string): void {
  const summary = 'content' in block && typeof block.content === 'string' ? block.content : '';
  context.prompt.chargeText(summary, FITTED.compactionFrame, 'server_tool', path, true);
}
