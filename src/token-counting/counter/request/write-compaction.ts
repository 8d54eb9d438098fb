import type { Context } from './context.ts';
import { FITTED } from './fitted.ts';

/** Writes the summary that stands for the conversation before it. */
export function writeCompaction(context: Context, block: object, path: string): void {
  const summary = 'content' in block && typeof block.content === 'string' ? block.content : '';
  context.prompt.chargeText(summary, FITTED.compactionFrame, 'server_tool', path, false);
}
