import type { Generation } from '../models/model-row.ts';
import type { RedactedThinkingBlock, ThinkingBlock } from '../request-types.ts';
import type { Context } from './context.ts';
import { countEncryptedThinkingBytes } from './encrypted-thinking.ts';

/** Tokens around a thinking block of the current turn. */
interface ThinkingOverhead {
  tokens: number;
  /** Beside it, where text follows it, and where a call follows in a turn without text. */
  beforeText: number;
  beforeCall: number;
}

/** Thinking before the first call alone, and thinking between calls as well (adaptive thinking). */
const BEFORE_FIRST_CALL: ThinkingOverhead = { tokens: 8, beforeText: 1, beforeCall: -1 };
const INTERLEAVED: ThinkingOverhead = { tokens: 14, beforeText: 1, beforeCall: 0 };
const OVERHEAD_BY_GENERATION: Record<Generation, ThinkingOverhead> = {
  '3': BEFORE_FIRST_CALL,
  '4': BEFORE_FIRST_CALL,
  '4.5': BEFORE_FIRST_CALL,
  '4.6': INTERLEAVED,
  '4.7': INTERLEAVED,
  // The block's marks are single tokens, as those of results are.
  '5': { tokens: 3, beforeText: 0, beforeCall: 0 },
};

/** Tokens a byte of thinking that a block does not show: as in the recorded blocks before a call that do (about 40 of
 * seven sources, 0.19 to 0.28), and a third more in the newer vocabulary. */
const HIDDEN_TOKENS_PER_BYTE = { v3: 0.23, later: 0.31 };
/** By how much thinking is denser than what sums it up (1.10 to 1.33 on 7 recorded blocks of two sources). */
const SUMMARY_DENSITY_RATIO = 1.2;

/** Writes a thinking block of the current turn; the caller leaves out those of earlier turns. */
export function writeThinking(
  context: Context,
  block: ThinkingBlock | RedactedThinkingBlock,
  path: string,
  following: { beforeText: boolean; beforeCall: boolean },
): void {
  const { generation } = context.model;
  // A budget of its own asks for thinking before the first call alone on 4.6 as well.
  const overhead =
    generation === '4.6' && context.hasManualThinking ? BEFORE_FIRST_CALL : OVERHEAD_BY_GENERATION[generation];
  const { tokens, exact } = measureThinking(context, block);
  const followingTokens =
    (following.beforeText ? overhead.beforeText : 0) + (following.beforeCall ? overhead.beforeCall : 0);
  context.prompt.addTokens(tokens + overhead.tokens + followingTokens, 'thinking', path, exact);
}

/**
 * What counts is the thinking itself, sealed in the signature: it is the block's text where that is as long, and else
 * what the text sums up.
 */
function measureThinking(
  context: Context,
  block: ThinkingBlock | RedactedThinkingBlock,
): { tokens: number; exact: boolean } {
  const { prompt, model } = context;
  const text = block.type === 'thinking' ? block.thinking : '';
  const visibleTokens = text === '' ? 0 : prompt.countTextTokens(text);
  const encryptedBytes = countEncryptedThinkingBytes(block.type === 'thinking' ? block.signature : block.data);
  // Generation 3 gives its thinking back as it was, and seals none of it.
  if (text !== '' && model.generation === '3') return { tokens: visibleTokens, exact: true };
  if (encryptedBytes === undefined) return { tokens: visibleTokens, exact: false };
  const bytes = countUtf8Bytes(text);
  // Some are sealed with one byte more, which costs nothing.
  if (text !== '' && (encryptedBytes === bytes || encryptedBytes === bytes + 1))
    return { tokens: visibleTokens, exact: true };
  const hiddenTokensPerByte = model.text === 'v3' ? HIDDEN_TOKENS_PER_BYTE.v3 : HIDDEN_TOKENS_PER_BYTE.later;
  const tokensPerByte = text === '' ? hiddenTokensPerByte : (visibleTokens / bytes) * SUMMARY_DENSITY_RATIO;
  return { tokens: Math.round(encryptedBytes * tokensPerByte), exact: false };
}

function countUtf8Bytes(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    // Both halves of a surrogate pair together have four bytes.
    if (unit >= 0x80) length += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return length;
}
