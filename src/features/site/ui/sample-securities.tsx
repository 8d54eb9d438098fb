import { formatChange, formatMoney } from '../../../ui/kit/formats.ts';
import { getDirection, toneClasses } from '../../../ui/kit/price-changes.ts';
import type { SampleSecurity } from './sample-figures.ts';

const WIDTH = 72;
const HEIGHT = 26;

interface SampleSecuritiesProps {
  label: string;
  securities: readonly SampleSecurity[];
  /** Decimals of the amounts (default: those of the currency). */
  decimals?: number;
}

/** Lists securities with a line of the month, an amount and the change of the day. */
export const SampleSecurities = ({ label, securities, decimals }: SampleSecuritiesProps) => (
  <ul aria-label={label}>
    {securities.map(({ symbol, name, amount, change, closes }) => (
      <li key={symbol} className="flex h-14 items-center gap-3 border-t border-line px-4 sm:px-5">
        <span className="grid min-w-0 flex-1">
          <span className="font-medium">{symbol}</span>
          <span className="truncate text-small text-ink-faint">{name}</span>
        </span>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          fill="none"
          aria-hidden="true"
          className={`h-6.5 w-18 shrink-0 ${closes[0]! <= closes.at(-1)! ? 'text-gain' : 'text-loss'}`}
        >
          <path d={toPath(closes)} stroke="currentColor" strokeWidth="1.5" strokeLinejoin="round" />
        </svg>
        <span className="grid min-w-20 shrink-0 text-end">
          <span className="font-medium">{formatMoney(amount, 'USD', decimals)}</span>
          <span className={`text-small font-medium ${toneClasses[getDirection(change)]}`}>{formatChange(change)}</span>
        </span>
      </li>
    ))}
  </ul>
);

/** Returns the SVG path of closes, oldest left, highest on top. */
function toPath(closes: readonly number[]): string {
  const low = Math.min(...closes);
  const range = Math.max(...closes) - low;
  return closes
    .map((close, index) => {
      const x = 1 + (index / (closes.length - 1)) * (WIDTH - 2);
      const y = 1 + (1 - (close - low) / range) * (HEIGHT - 2);
      return `${index === 0 ? 'M' : 'L'}${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
    })
    .join('');
}
