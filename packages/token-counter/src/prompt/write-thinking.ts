import type { Generation } from '../models/model-row.ts';
import type { RedactedThinkingBlock, ThinkingBlock } from '../request-types.ts';
import type { Context } from './context.ts';
import { countEncryptedThinkingBytes } from './encrypted-thinking.ts';

/** Tokens around a thinking block of the current turn. */
interface ThinkingOverhead {
  tokens: number;
  /** Additional tokens if text follows, and if a call follows in a turn without text. */
  beforeText: number;
  beforeCall: number;
}

/** Thinking only before the first call, and thinking between calls as well (adaptive thinking). */
const BEFORE_FIRST_CALL: ThinkingOverhead = { tokens: 8, beforeText: 1, beforeCall: -1 };
const INTERLEAVED: ThinkingOverhead = { tokens: 14, beforeText: 1, beforeCall: 0 };
/** The marks of the block are single tokens, like those of results. */
const SPECIAL: ThinkingOverhead = { tokens: 3, beforeText: 0, beforeCall: 0 };
/** Thinking of an earlier turn that had a budget (one record, Opus 4.5). */
const EARLIER: ThinkingOverhead = { tokens: 14, beforeText: 0, beforeCall: 0 };
const OVERHEAD_BY_GENERATION: Record<Generation, ThinkingOverhead> = {
  '3': BEFORE_FIRST_CALL,
  '4': BEFORE_FIRST_CALL,
  '4.5': BEFORE_FIRST_CALL,
  '4.6': INTERLEAVED,
  '4.7': INTERLEAVED,
  '5': SPECIAL,
  '5.5': SPECIAL,
};

/**
 * Tokens per byte of hidden thinking, as in visible blocks before a call (about 40 of seven sources, 0.19 to 0.28). The
 * newer vocabulary has a third more.
 */
const HIDDEN_TOKENS_PER_BYTE = { v3: 0.23, later: 0.31 };
/** Ratio of the density of thinking to that of its summary (1.10 to 1.33 on 7 recorded blocks of two sources). */
const SUMMARY_DENSITY_RATIO = 1.2;

/** Writes a thinking block. The caller omits those of earlier turns, unless they are kept. */
export function writeThinking(
  context: Context,
  block: ThinkingBlock | RedactedThinkingBlock,
  path: string,
  position: { isCurrent: boolean; beforeText: boolean; beforeCall: boolean },
): void {
  const overhead = getOverhead(context, position.isCurrent);
  const { tokens, exact } = measureThinking(context, block);
  const followingTokens =
    (position.beforeText ? overhead.beforeText : 0) + (position.beforeCall ? overhead.beforeCall : 0);
  context.prompt.addTokens(tokens + overhead.tokens + followingTokens, 'thinking', path, exact);
}

function getOverhead({ model, ...context }: Context, isCurrent: boolean): ThinkingOverhead {
  const overhead = OVERHEAD_BY_GENERATION[model.generation];
  // With its own budget, thinking occurs only before the first call on 4.6 as well.
  const hasBudget = overhead === BEFORE_FIRST_CALL || (model.generation === '4.6' && context.hasManualThinking);
  if (!hasBudget) return overhead;
  if (context.hasInterleavedThinking) return INTERLEAVED;
  return isCurrent ? BEFORE_FIRST_CALL : EARLIER;
}

/**
 * Counts the thinking that the signature encrypts. If the visible text has an equal length, it is that thinking.
 * Otherwise it is a summary of it.
 */
function measureThinking(
  context: Context,
  block: ThinkingBlock | RedactedThinkingBlock,
): { tokens: number; exact: boolean } {
  const { prompt, model } = context;
  const text = block.type === 'thinking' ? block.thinking : '';
  const visibleTokens = text === '' ? 0 : prompt.countTextTokens(text);
  const encryptedBytes = countEncryptedThinkingBytes(block.type === 'thinking' ? block.signature : block.data);
  // Generation 3 returns its thinking unchanged and does not encrypt it.
  if (text !== '' && model.generation === '3') return { tokens: visibleTokens, exact: true };
  if (encryptedBytes === undefined) return { tokens: visibleTokens, exact: false };
  const bytes = countUtf8Bytes(text);
  // Some encrypted blocks have one byte more, which costs nothing.
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
    // The two units of a surrogate pair have four bytes in total.
    if (unit >= 0x80) length += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return length;
}
