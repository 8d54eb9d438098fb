import { formatPercentWith } from '../../../../ui/kit/formats.ts';

/** Formats a share as a percentage with one decimal. A share above zero never appears as zero. */
export function formatShare(share: number): string {
  const percent = share * 100;
  return percent > 0 && percent < 0.1 ? `<${formatPercentWith(0.1, 1, 1)}` : formatPercentWith(percent, 1, 1);
}
