import type { TextFamilyName } from '../model-row.ts';
import { countConcatenated, countContent } from '../text/index.ts';
import type { Dealer } from '../text/share.ts';

/** Price of a stretch of prompt: in the text generations as it stands in mid-prompt, in the others as a turn's content. */
export function priceText(parts: readonly string[], family: TextFamilyName, dealer?: Dealer): number {
  return family === 'v3' || family === 'v4.7'
    ? countConcatenated(parts, family, dealer && { dealer })
    : countContent(parts, family, dealer);
}
