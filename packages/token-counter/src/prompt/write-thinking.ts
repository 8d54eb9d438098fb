import type { Generation } from '../models/model-row.ts';
import type { RedactedThinkingBlock, ThinkingBlock } from '../request-types.ts';
import type { Context } from './context.ts';
import { sealedBytes } from './sealed-thinking.ts';

/** Tokens around a thinking block of the current turn. */
interface Frame {
  tokens: number;
  /** Beside it, where text follows it, and where a call follows in a turn without text. */
  beforeText: number;
  beforeCall: number;
}

/** Thinking before the first call alone, and thinking between calls as well (adaptive thinking). */
const ALONE: Frame = { tokens: 8, beforeText: 1, beforeCall: -1 };
const INTERLEAVED: Frame = { tokens: 14, beforeText: 1, beforeCall: 0 };
const FRAMES: Record<Generation, Frame> = {
  '3': ALONE,
  '4': ALONE,
  '4.5': ALONE,
  '4.6': INTERLEAVED,
  '4.7': INTERLEAVED,
  // The block's marks are single tokens, as those of results are.
  '5': { tokens: 3, beforeText: 0, beforeCall: 0 },
};

/** Tokens a byte of thinking that a block does not show: as in the recorded blocks before a call that do (about 40 of
 * seven sources, 0.19 to 0.28), and a third more in the newer vocabulary. */
const UNSEEN_RATE = { v3: 0.23, later: 0.31 };
/** By how much thinking is denser than what sums it up (1.10 to 1.33 on 7 recorded blocks of two sources). */
const SUMMARISED = 1.2;

/** Writes a thinking block of the current turn; the caller leaves out those of earlier turns. */
export function writeThinking(
  context: Context,
  block: ThinkingBlock | RedactedThinkingBlock,
  path: string,
  place: { beforeText: boolean; beforeCall: boolean },
): void {
  const { generation } = context.model;
  // A budget of its own asks for thinking before the first call alone on 4.6 as well.
  const frame = generation === '4.6' && context.manualThinking ? ALONE : FRAMES[generation];
  const { tokens, exact } = measure(context, block);
  const beside = (place.beforeText ? frame.beforeText : 0) + (place.beforeCall ? frame.beforeCall : 0);
  context.prompt.charge(tokens + frame.tokens + beside, 'thinking', path, exact);
}

/**
 * What counts is the thinking itself, sealed in the signature: it is the block's text where that is as long, and else
 * what the text sums up.
 */
function measure(context: Context, block: ThinkingBlock | RedactedThinkingBlock): { tokens: number; exact: boolean } {
  const { prompt, model } = context;
  const text = block.type === 'thinking' ? block.thinking : '';
  const visible = text === '' ? 0 : prompt.priceOf(text);
  const sealed = sealedBytes(block.type === 'thinking' ? block.signature : block.data);
  // Generation 3 gives its thinking back as it was, and seals none of it.
  if (text !== '' && model.generation === '3') return { tokens: visible, exact: true };
  if (sealed === undefined) return { tokens: visible, exact: false };
  const bytes = utf8Length(text);
  // Some are sealed with one byte more, which costs nothing.
  if (text !== '' && (sealed === bytes || sealed === bytes + 1)) return { tokens: visible, exact: true };
  const unseen = model.text === 'v3' ? UNSEEN_RATE.v3 : UNSEEN_RATE.later;
  const rate = text === '' ? unseen : (visible / bytes) * SUMMARISED;
  return { tokens: Math.round(sealed * rate), exact: false };
}

function utf8Length(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    // Both halves of a surrogate pair together have four bytes.
    if (unit >= 0x80) length += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return length;
}
