import type { TextBlock } from '../request-types.ts';
import { createCiteTag } from './citations.ts';
import type { Context } from './context.ts';
import { MESSAGE_BREAK } from './merge-turns.ts';
import type { LocatedBlock } from './located-block.ts';
import { writeDocument } from './write-document.ts';
import { writeImage } from './write-image.ts';
import { writeToolAddition, writeToolRemoval } from './write-reference.ts';
import { writeSearchResult } from './write-search-result.ts';
import { writeServerBlock } from './write-server-block.ts';
import { writeThinking } from './write-thinking.ts';

/** Blocks that are written together, with their shared properties. */
interface BlockList {
  blocks: readonly LocatedBlock[];
  /** Whether the blocks belong to the answer in progress. */
  current: boolean;
  /** Whether one of the blocks is text. */
  hasText: boolean;
}

function writeText(context: Context, { text, citations }: TextBlock, kind: 'frame' | 'text', path: string): void {
  const { prompt } = context;
  const tag = createCiteTag(context, citations);
  if (tag !== undefined) prompt.write(tag.open, 'citations', path, false);
  prompt.write(text, kind, path);
  if (tag !== undefined) prompt.write(tag.close, 'citations', path, false);
}

/** Writes the summary that replaces the preceding conversation (4 of 4 recorded counts of two sources). */
function writeCompaction({ prompt, fitted }: Context, block: object, path: string): void {
  const summary = 'content' in block && typeof block.content === 'string' ? block.content : '';
  prompt.addTextTokens(summary, fitted.overheads.compactionFrame, 'server_tool', path, true);
}

/** Writes the block at `index` of its list, except for calls and results of client tools. */
export function writeContent(context: Context, located: LocatedBlock, list: BlockList, index: number): void {
  const { block, path } = located;
  const next = list.blocks[index + 1];
  const beforeCall = next?.block.type === 'tool_use' && !list.hasText;
  const position = {
    last: next === undefined || next === MESSAGE_BREAK,
    before: list.blocks[index - 1]?.block,
    after: next?.block,
  };
  switch (block.type) {
    case 'text':
      return writeText(context, block, located === MESSAGE_BREAK ? 'frame' : 'text', path);
    case 'image':
      return writeImage(context, block, path, position);
    case 'document':
      return writeDocument(context, block, path, position);
    case 'search_result':
      return writeSearchResult(context, block, path);
    case 'thinking':
    case 'redacted_thinking':
      if (list.current || context.keepsEarlierThinking) {
        const beforeText = next?.block.type === 'text';
        writeThinking(context, block, path, { isCurrent: list.current, beforeText, beforeCall });
      }
      return;
    case 'tool_use':
    case 'tool_result':
      return;
    case 'compaction':
      return writeCompaction(context, block, path);
    case 'tool_addition':
      if ('tool' in block) writeToolAddition(context, block.tool, path);
      return;
    case 'tool_removal':
      if ('tool' in block) writeToolRemoval(context, block.tool, path);
      return;
    default:
      writeServerBlock(context, block, path);
  }
}
