import { memo } from 'react';
import type { Close } from '../../contract.ts';
import { computeChangePercent, getTrendClass } from '../../../../ui/kit/price-changes.ts';
import { filterClosesSince, toLinePath } from '../list/closes.ts';

const WIDTH = 72;
const HEIGHT = 26;

interface SparklineProps {
  closes: readonly Close[] | null;
  since: string;
  className: string;
}

/**
 * Draws the closes of a month as one line, from the day `since` on, in the color of the change. The line is decorative:
 * the row's label states the change. The class sets the width.
 */
export const Sparkline = memo(function Sparkline({ closes, since, className }: SparklineProps) {
  const month = filterClosesSince(closes, since);
  if (!month) return <span className={className} />;
  const change = computeChangePercent(month) ?? 0;
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      fill="none"
      aria-hidden="true"
      className={`${className} ${getTrendClass(change)}`}
    >
      <path
        d={toLinePath(month, WIDTH, HEIGHT, 2)}
        vectorEffect="non-scaling-stroke"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  );
});
