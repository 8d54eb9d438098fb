import type { ModelRow } from '../models/model-row.ts';
import type { ImageSize } from '../request-types.ts';

/** Side of a square patch in pixels. One patch is one token. */
const PATCH_PX = 28;
/** Limits of the published resize rule, by tier. */
const TIERS = {
  standard: { maxEdge: 1568, maxTokens: 1568 },
  high: { maxEdge: 2576, maxTokens: 4784 },
} as const;

/**
 * Returns the visual tokens of an image: 28-pixel patches after the model's resize (published; 67 of 68 recorded
 * images).
 */
export function countImageTokens(size: ImageSize, model: ModelRow): number {
  const { width, height } = resizeImage(size, model.imageTier);
  // Haiku 3.5 pads to pairs of patches (all 17 records).
  const pad = model.id === 'claude-3-5-haiku' ? 2 : 1;
  return countPatches(width, pad) * countPatches(height, pad);
}

/** Returns whether a model resizes an image of this size. */
export const isResized = (size: ImageSize, { imageTier }: ModelRow): boolean =>
  !fitsTier(size.width, size.height, imageTier);

/**
 * Applies the published resize rule. Returns the largest size with this aspect ratio whose padded sides and patches are
 * within the tier. Smaller images are unchanged.
 */
export function resizeImage(size: ImageSize, tier: ModelRow['imageTier']): ImageSize {
  if (fitsTier(size.width, size.height, tier)) return size;
  return scaleToTier(size, tier, roundHalfEven, Math.max(size.width, size.height));
}

/**
 * Returns the largest size with this aspect ratio within the tier whose long side is at most `longest`.
 * @param roundShortSide rounding of the short side: half to even for images, down for PDF pages
 */
export function scaleToTier(
  size: ImageSize,
  tier: ModelRow['imageTier'],
  roundShortSide: (side: number) => number,
  maxLongSide: number,
): ImageSize {
  const longSide = Math.max(size.width, size.height);
  const aspect = longSide / Math.min(size.width, size.height);
  const toShortSide = (side: number): number => Math.max(1, roundShortSide(side / aspect));
  let low = 1;
  let high = Math.min(Math.ceil(maxLongSide), TIERS[tier].maxEdge);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fitsTier(middle, toShortSide(middle), tier)) low = middle;
    else high = middle - 1;
  }
  const shortSide = toShortSide(low);
  return size.width >= size.height ? { width: low, height: shortSide } : { width: shortSide, height: low };
}

function fitsTier(width: number, height: number, tier: ModelRow['imageTier']): boolean {
  const { maxEdge, maxTokens } = TIERS[tier];
  const across = countPatches(width, 1);
  const down = countPatches(height, 1);
  return across * PATCH_PX <= maxEdge && down * PATCH_PX <= maxEdge && across * down <= maxTokens;
}

function countPatches(side: number, pad: number): number {
  return pad * Math.ceil(side / (PATCH_PX * pad));
}

function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const fraction = value - floor;
  return fraction > 0.5 || (fraction === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
}
