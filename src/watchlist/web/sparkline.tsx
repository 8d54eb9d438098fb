import { memo } from 'react';
import type { Close } from '../contract.ts';
import { linePath, monthChange } from './close-line.ts';

const WIDTH = 72;
const HEIGHT = 26;

/**
 * The last month of daily closes as one line, in the colour of where it went. Decoration: the row says the month in
 * words.
 */
export const Sparkline = memo(function Sparkline({ closes }: { closes: readonly Close[] | null }) {
  if (closes === null || closes.length < 2) return <span className="block h-6.5 w-18" />;
  const change = monthChange(closes) ?? 0;
  return (
    <svg
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      fill="none"
      aria-hidden="true"
      className={change > 0 ? 'text-gain' : change < 0 ? 'text-loss' : 'text-ink-faint'}
    >
      <path
        d={linePath(closes, WIDTH, HEIGHT, 2)}
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  );
});
