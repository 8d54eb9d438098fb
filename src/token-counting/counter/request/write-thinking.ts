import type { Generation } from '../model-row.ts';
import type { RedactedThinkingBlock, ThinkingBlock } from '../request-types.ts';
import type { Context } from './context.ts';

/** How a generation prices a thinking block of the current turn. */
interface ThinkingRules {
  /** Tokens around the block; one more up to 4.5 if the turn also has text, from 4.6 on if the block opens the turn. */
  frame: number;
  /** From 4.6 on what counts is the original thinking, sealed in the signature: tokens a byte, less the seal's own
   * bytes. */
  sealed?: { rate: number; seal: number };
}

/** Up to 4.5: visible text + 8 (18 records). 4.6: + 14 (12 of 12 while short), sealed ±5 % (9 records). */
const EARLY: ThinkingRules = { frame: 8 };
const RULES: Record<Generation, ThinkingRules> = {
  '3': EARLY,
  '4': EARLY,
  '4.5': EARLY,
  '4.6': { frame: 14, sealed: { rate: 0.42, seal: 240 } },
  // The seal by 2 records of Opus 4.7 and 2 of Sonnet 5. The block's marks are single tokens, as those of results are.
  '4.7': { frame: 14, sealed: { rate: 0.55, seal: 205 } },
  '5': { frame: 2, sealed: { rate: 0.55, seal: 283 } },
};
/** Thinking as short as this is returned as it was, so that its text can be counted (12 of 12). */
const SUMMARISED_FROM = 60;

/** Writes a thinking block of the current turn; the caller leaves out those of earlier turns. */
export function writeThinking(
  context: Context,
  block: ThinkingBlock | RedactedThinkingBlock,
  path: string,
  place: { opensTurn: boolean; withText: boolean; beforeCall: boolean },
): void {
  const { prompt, model } = context;
  const { sealed } = RULES[model.generation];
  // Thinking with a budget of its own is wrapped on 4.6 as it was before.
  const manual = model.generation === '4.6' && context.manualThinking;
  const frame = manual ? EARLY.frame - (place.beforeCall ? 1 : 0) : RULES[model.generation].frame;
  const visible = block.type === 'thinking' && block.thinking !== '' ? prompt.priceOf(block.thinking) : 0;
  if (sealed === undefined) {
    // A redacted block shows nothing; as far as known it is sealed as in 4.6.
    const hidden = block.type === 'thinking' ? visible : sealedTokens(block.data, { rate: 0.42, seal: 240 });
    prompt.charge(
      hidden + frame + (place.withText ? 1 : 0) - (place.beforeCall ? 1 : 0),
      'thinking',
      path,
      block.type === 'thinking',
    );
    return;
  }
  const seal = block.type === 'thinking' ? block.signature : block.data;
  const hidden = visible > 0 && visible < SUMMARISED_FROM ? visible : Math.max(visible, sealedTokens(seal, sealed));
  prompt.charge(hidden + frame + (place.opensTurn && !manual ? 1 : 0), 'thinking', path, false);
}

/** Tokens of the thinking that a signature seals, by its length; 0 where it was scrubbed. */
function sealedTokens(base64: string, { rate, seal }: { rate: number; seal: number }): number {
  return Math.max(0, Math.round(rate * (Math.floor((base64.length * 3) / 4) - seal)));
}
