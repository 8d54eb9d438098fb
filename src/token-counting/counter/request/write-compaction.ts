import type { Context } from './context.ts';

/** Tokens around the summary, what tells the model about it among them: the same for two summaries of one source. */
const COMPACTION_FRAME = 85;

/** Writes the summary that stands for the conversation before it. */
export function writeCompaction(context: Context, block: object, path: string): void {
  const summary = 'content' in block && typeof block.content === 'string' ? block.content : '';
  context.prompt.chargeText(summary, COMPACTION_FRAME, 'server_tool', path, false);
}
