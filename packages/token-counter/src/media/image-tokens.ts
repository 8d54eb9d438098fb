import type { ModelRow } from '../models/model-row.ts';
import type { ImageSize } from '../request-types.ts';

/** Side of a square patch, one token each, in pixels. */
const PATCH = 28;
/** Limits of the published resize rule, by tier. */
const TIERS = {
  standard: { maxEdge: 1568, maxTokens: 1568 },
  high: { maxEdge: 2576, maxTokens: 4784 },
} as const;

/** Visual tokens of an image: 28-pixel patches after the model's resize (published; 67 of 68 recorded images). */
export function imageTokens(size: ImageSize, model: ModelRow): number {
  const { width, height } = resizeImage(size, model.imageTier);
  // Haiku 3.5 pads to pairs of patches (all 17 of its records).
  const pad = model.id === 'claude-3-5-haiku' ? 2 : 1;
  return patches(width, pad) * patches(height, pad);
}

/**
 * The published resize rule: the largest size of the same aspect whose padded sides and patches stay within the tier.
 * Images that fit are unchanged.
 */
export function resizeImage(size: ImageSize, tier: ModelRow['imageTier']): ImageSize {
  if (fits(size.width, size.height, tier)) return size;
  return scaleToTier(size, tier, roundHalfEven, Math.max(size.width, size.height));
}

/**
 * The largest size of this aspect within the tier whose long side is at most `longest`.
 * @param roundShort how the short side is rounded: half to even for images, down for PDF pages
 */
export function scaleToTier(
  size: ImageSize,
  tier: ModelRow['imageTier'],
  roundShort: (side: number) => number,
  longest: number,
): ImageSize {
  const long = Math.max(size.width, size.height);
  const aspect = long / Math.min(size.width, size.height);
  const shortOf = (side: number): number => Math.max(1, roundShort(side / aspect));
  let low = 1;
  let high = Math.min(Math.ceil(longest), TIERS[tier].maxEdge);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle, shortOf(middle), tier)) low = middle;
    else high = middle - 1;
  }
  const short = shortOf(low);
  return size.width >= size.height ? { width: low, height: short } : { width: short, height: low };
}

function fits(width: number, height: number, tier: ModelRow['imageTier']): boolean {
  const { maxEdge, maxTokens } = TIERS[tier];
  const across = patches(width, 1);
  const down = patches(height, 1);
  return across * PATCH <= maxEdge && down * PATCH <= maxEdge && across * down <= maxTokens;
}

function patches(side: number, pad: number): number {
  return pad * Math.ceil(side / (PATCH * pad));
}

function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
}
