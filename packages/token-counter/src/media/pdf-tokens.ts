import type { ModelRow } from '../models/model-row.ts';
import { countImageTokens, scaleToTier } from './image-tokens.ts';
import type { FittedRules } from '../prompt/fitted.ts';

const FLAT_PAGE_MODELS = new Set(['claude-3-haiku', 'claude-3-5-haiku', 'claude-3-opus', 'claude-3-sonnet']);
/** Tokens of a page of an unparsed PDF: an office page of about 60 KB base64 with 500 tokens of text. */
const UNPARSED_PAGE_TOKENS = 2000;
const UNPARSED_PAGE_BYTES = 60_000;

/**
 * Returns the visual tokens of a page without its text. The page is scaled to the largest size of the standard tier.
 */
export function countPdfPageTokens(
  page: { width: number; height: number },
  model: ModelRow,
  fitted: FittedRules,
): number {
  const { flatPage, pageFrame, pageFrameSpecial } = fitted.overheads;
  if (FLAT_PAGE_MODELS.has(model.id)) return flatPage;
  const frameTokens = fitted.generations[model.generation].roleMarkers === 'special' ? pageFrameSpecial : pageFrame;
  const size = page.width > 0 && page.height > 0 ? page : { width: 612, height: 792 };
  const scaledSize = scaleToTier(size, 'standard', Math.floor, Number.MAX_SAFE_INTEGER);
  return countImageTokens(scaledSize, { ...model, imageTier: 'standard' }) + frameTokens;
}

/** Estimates the tokens of a PDF whose pages are unknown. */
export function estimatePdfTokens(base64Length: number): number {
  return UNPARSED_PAGE_TOKENS * Math.max(1, Math.round(base64Length / UNPARSED_PAGE_BYTES));
}
