import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { chartScale, depthOf } from '../../../../ui/kit/chart-scale.ts';
import { formatChange } from '../../../../ui/kit/formats.ts';
import { formatCalendarDay } from '../../../../ui/shell/market/new-york-time.ts';
import { formatPrice, type PriceUnit } from '../../../../ui/shell/market/price-formats.ts';
import type { Close } from '../../contract.ts';
import { changeOver } from '../list/close-line.ts';
import { CloseTable } from './close-table.tsx';

/** Units of the drawing, which takes whatever size it has. */
const BOX = 1000;

interface PriceChartProps {
  /** At least two daily closes, oldest first. */
  closes: readonly Close[];
  unit: PriceUnit;
  label: string;
  /** The previous close as a line of its own, where the range is short; null without one. */
  prevClose: number | null;
}

/**
 * Daily closes as a line over round values, with a crosshair by pointer or by arrow keys (a slider over the days); the
 * same as a table.
 */
export function PriceChart({ closes, unit, label, prevClose }: PriceChartProps) {
  const [at, setAt] = useState<number | null>(null);
  const [asTable, setAsTable] = useState(false);
  const last = closes.length - 1;
  const change = changeOver(closes) ?? 0;
  const shown = closes[at ?? last];
  const [first, middle] = [closes[0]?.[0] ?? '', closes[Math.round(last / 2)]?.[0] ?? ''];
  if (!shown) return null;
  const [day, price] = shown;

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

  return (
    <div className="grid gap-1.5">
      <div className="flex items-baseline justify-between gap-3 text-small">
        <p className="text-ink-soft">
          {at === null ? (
            <span
              className={change > 0 ? 'text-gain' : change < 0 ? 'text-loss' : ''}
            >{`${formatChange(change)} since ${formatCalendarDay(first)}`}</span>
          ) : (
            <>
              <span className="font-medium text-ink">{formatPrice(price, unit)}</span>
              {` on ${formatCalendarDay(day)}`}
            </>
          )}
        </p>
        <button type="button" onClick={() => setAsTable(!asTable)} className="link shrink-0 text-small">
          {asTable ? 'View as chart' : 'View as table'}
        </button>
      </div>
      {asTable ? (
        <CloseTable closes={closes} unit={unit} label={label} />
      ) : (
        <>
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
            <Drawing
              closes={closes}
              unit={unit}
              at={at}
              prevClose={prevClose}
              tone={change < 0 ? 'text-loss' : change > 0 ? 'text-gain' : 'text-ink-faint'}
              onLook={setAt}
            />
          </div>
          <p className="flex justify-between gap-2 text-micro text-ink-faint">
            <span>{formatCalendarDay(first)}</span>
            {last > 7 && <span className="hidden xs:inline">{formatCalendarDay(middle)}</span>}
            <span>{formatCalendarDay(closes[last]?.[0] ?? day)}</span>
          </p>
          {prevClose !== null && (
            <p className="flex items-center gap-1.5 text-micro text-ink-faint">
              <svg aria-hidden="true" width="18" height="2" className="shrink-0">
                <path d="M0 1H18" stroke="currentColor" strokeWidth="1.5" strokeDasharray="4 3" />
              </svg>
              {`Previous close ${formatPrice(prevClose, unit)}`}
            </p>
          )}
        </>
      )}
    </div>
  );
}

interface DrawingProps extends Omit<PriceChartProps, 'label'> {
  at: number | null;
  tone: string;
  onLook: (at: number | null) => void;
}

/** The line, and at its right the values of the lines behind it. Their texts keep their size whatever the width. */
function Drawing({ closes, unit, at, prevClose, tone, onLook }: DrawingProps) {
  const last = closes.length - 1;
  const prices = closes.map(([, close]) => close);
  const scale = chartScale(prevClose === null ? prices : [...prices, prevClose]);
  const x = (index: number): number => Math.round((index / last) * BOX);
  const y = (price: number): number => Math.round(depthOf(price, scale) * BOX);
  const line = prices.map((price, index) => `${index === 0 ? 'M' : 'L'}${x(index)} ${y(price)}`).join('');
  const values = scale.lines.map((value) => ({ value, text: formatPrice(value, unit).replace(/ of par$/, '') }));
  const widest = values.reduce((long, { text }) => (text.length > long.length ? text : long), '');

  function onPointer(event: PointerEvent): void {
    const box = event.currentTarget.getBoundingClientRect();
    onLook(Math.max(0, Math.min(last, Math.round(((event.clientX - box.left) / box.width) * last))));
  }

  return (
    <div aria-hidden="true" className="grid h-44 grid-cols-[1fr_auto] gap-2">
      <div
        className={`relative touch-pan-y ${tone}`}
        onPointerMove={onPointer}
        onPointerDown={onPointer}
        onPointerLeave={() => onLook(null)}
      >
        <svg
          viewBox={`0 0 ${BOX} ${BOX}`}
          preserveAspectRatio="none"
          fill="none"
          className="absolute inset-0 h-full w-full overflow-visible *:[vector-effect:non-scaling-stroke]"
        >
          {values.map(({ value }) => (
            <path key={value} d={`M0 ${y(value)}H${BOX}`} stroke="var(--color-line)" />
          ))}
          {prevClose !== null && (
            <path d={`M0 ${y(prevClose)}H${BOX}`} stroke="var(--color-ink-faint)" strokeDasharray="4 3" />
          )}
          <path d={line} stroke="currentColor" strokeWidth="1.75" strokeLinejoin="round" strokeLinecap="round" />
          {at !== null && (
            <>
              <path d={`M${x(at)} 0V${BOX}`} stroke="var(--color-line-strong)" strokeDasharray="3 3" />
              <path
                d={`M${x(at)} ${y(prices[at] ?? 0)}h0.01`}
                stroke="currentColor"
                strokeWidth="9"
                strokeLinecap="round"
              />
            </>
          )}
        </svg>
      </div>
      <div className="relative text-end text-micro text-ink-faint">
        <span className="invisible">{widest}</span>
        {values.map(({ value, text }) => (
          <span
            key={value}
            className="absolute end-0 -translate-y-1/2"
            style={{ top: `${depthOf(value, scale) * 100}%` }}
          >
            {text}
          </span>
        ))}
      </div>
    </div>
  );
}
