import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { formatChange } from '../../web/lib/formats.ts';
import { formatCalendarDay, formatShortDay } from '../../web/lib/new-york-time.ts';
import { formatPrice, type PriceUnit } from '../../web/lib/price-formats.ts';
import type { Close } from '../contract.ts';
import { linePath, changeOver } from './close-line.ts';

const WIDTH = 380;
const HEIGHT = 150;
const INSET = 3;

interface PriceChartProps {
  /** At least two daily closes, oldest first. */
  closes: readonly Close[];
  unit: PriceUnit;
  label: string;
}

/**
 * Daily closes as a line with a crosshair, by pointer or by arrow keys (a slider over the days); the same as a table.
 */
export function PriceChart({ closes, unit, label }: PriceChartProps) {
  const [at, setAt] = useState<number | null>(null);
  const [asTable, setAsTable] = useState(false);
  const last = closes.length - 1;
  const change = changeOver(closes) ?? 0;
  const path = linePath(closes, WIDTH, HEIGHT, INSET);
  const shown = closes[at ?? last];
  if (!shown) return null;
  const [day, price] = shown;
  const prices = closes.map(([, close]) => close);
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const x = INSET + ((at ?? last) / Math.max(1, last)) * (WIDTH - 2 * INSET);
  const y = high === low ? HEIGHT / 2 : INSET + ((high - price) / (high - low)) * (HEIGHT - 2 * INSET);

  function onKeyDown(event: KeyboardEvent): void {
    const now = at ?? last;
    const next = {
      ArrowLeft: now - 1,
      ArrowDown: now - 1,
      ArrowRight: now + 1,
      ArrowUp: now + 1,
      PageDown: now - 5,
      PageUp: now + 5,
      Home: 0,
      End: last,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setAt(Math.max(0, Math.min(last, next)));
  }

  function onPointer(event: PointerEvent<SVGSVGElement>): void {
    const box = event.currentTarget.getBoundingClientRect();
    setAt(Math.max(0, Math.min(last, Math.round(((event.clientX - box.left) / box.width) * last))));
  }

  return (
    <div className="grid gap-1.5">
      <div className="flex items-baseline justify-between gap-3 text-small">
        <p className="text-ink-soft">
          {at === null ? (
            <span
              className={change > 0 ? 'text-gain' : change < 0 ? 'text-loss' : ''}
            >{`${formatChange(change)} since ${formatShortDay(closes[0]?.[0] ?? day)}`}</span>
          ) : (
            <>
              <span className="font-medium text-ink">{formatPrice(price, unit)}</span>
              {` on ${formatCalendarDay(day)}`}
            </>
          )}
        </p>
        <button
          type="button"
          aria-pressed={asTable}
          onClick={() => setAsTable(!asTable)}
          className="link shrink-0 text-small"
        >
          View as table
        </button>
      </div>
      {asTable ? (
        <CloseTable closes={closes} unit={unit} label={label} />
      ) : (
        <div
          role="slider"
          tabIndex={0}
          aria-label={`Daily closes of ${label}`}
          aria-valuemin={0}
          aria-valuemax={last}
          aria-valuenow={at ?? last}
          aria-valuetext={`${formatCalendarDay(day)}: ${formatPrice(price, unit)}`}
          className="rounded-control"
          onKeyDown={onKeyDown}
          onBlur={() => setAt(null)}
        >
          <svg
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            aria-hidden="true"
            className={
              'block h-auto w-full touch-pan-y ' +
              `${change < 0 ? 'text-loss' : change > 0 ? 'text-gain' : 'text-ink-faint'}`
            }
            onPointerMove={onPointer}
            onPointerDown={onPointer}
            onPointerLeave={() => setAt(null)}
          >
            <path d={`${path}L${WIDTH - INSET} ${HEIGHT}L${INSET} ${HEIGHT}Z`} fill="currentColor" opacity="0.08" />
            <path
              d={path}
              fill="none"
              stroke="currentColor"
              strokeWidth="1.75"
              strokeLinejoin="round"
              strokeLinecap="round"
            />
            {at !== null && (
              <>
                <path d={`M${x} 0V${HEIGHT}`} stroke="var(--color-line-strong)" strokeDasharray="3 3" />
                <circle cx={x} cy={y} r="4" fill="currentColor" stroke="var(--color-raised)" strokeWidth="2" />
              </>
            )}
          </svg>
        </div>
      )}
      <p className="flex justify-between text-micro text-ink-faint">
        <span>{formatShortDay(closes[0]?.[0] ?? day)}</span>
        <span>{`low ${formatPrice(low, unit)} · high ${formatPrice(high, unit)}`}</span>
        <span>{formatShortDay(closes[last]?.[0] ?? day)}</span>
      </p>
    </div>
  );
}

function CloseTable({ closes, unit, label }: PriceChartProps) {
  return (
    // It scrolls, so it can have the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div
      tabIndex={0}
      role="region"
      aria-label={`Daily closes of ${label}, as a table`}
      className="max-h-60 overflow-y-auto rounded-control border border-line text-small"
    >
      <table className="w-full">
        <thead className="sticky top-0 bg-sunken text-start">
          <tr>
            <th scope="col" className="px-3 py-1 text-start font-medium">
              Day
            </th>
            <th scope="col" className="px-3 py-1 text-end font-medium">
              Close
            </th>
          </tr>
        </thead>
        <tbody>
          {closes.toReversed().map(([day, close]) => (
            <tr key={day} className="border-t border-line">
              <td className="px-3 py-1">{formatCalendarDay(day)}</td>
              <td className="px-3 py-1 text-end">{formatPrice(close, unit)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
