import { countImageTokens } from '../media/image-tokens.ts';
import { readImageSize } from '../media/image-size.ts';
import type { ImageBlock, ImageSize } from '../request-types.ts';
import type { Context } from './context.ts';
import type { LocatedBlock } from './located-block.ts';

/** Position of an image among the blocks of its message. */
export interface Position {
  last: boolean;
  /** The adjacent blocks. */
  before: LocatedBlock['block'] | undefined;
  after: LocatedBlock['block'] | undefined;
}

/** An image of unknown size is counted as a full standard image. */
const UNKNOWN_SIZE: ImageSize = { width: 1092, height: 1092 };

/** Writes an image of a user message. */
export function writeImage(context: Context, block: ImageBlock, path: string, position: Position): void {
  const { tokens, exact } = measureImage(context, block, path);
  const { prompt } = context;
  prompt.addTokens(
    tokens + context.fitted.overheads.imageFrame + (position.before === undefined ? 0 : 1),
    'image',
    path,
    exact,
  );
  // Before a document the line break is a separate token, because no text follows that it could merge with.
  if (position.after?.type === 'document') prompt.addTokens(1, 'image', path, exact);
  else if (!position.last) prompt.write('\n', 'image', path);
}

/** Returns the visual tokens of an image block without its surroundings. They are inexact if the size is unknown. */
export function measureImage(context: Context, block: ImageBlock, path: string): { tokens: number; exact: boolean } {
  const { source } = block;
  const size =
    context.options.image?.(source, path) ?? (source.type === 'base64' ? readImageSize(source.data) : undefined);
  return { tokens: countImageTokens(size ?? UNKNOWN_SIZE, context.model), exact: size !== undefined };
}
