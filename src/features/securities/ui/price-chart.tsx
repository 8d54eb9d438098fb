import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { computeChartScale, toFractionFromTop } from '../../../ui/kit/chart-scale.ts';
import { formatChange } from '../../../ui/kit/formats.ts';
import { formatCalendarDay } from '../../../ui/shell/market/new-york-time.ts';
import { formatPrice, type PriceUnit } from '../../../ui/shell/market/price-formats.ts';
import type { Close } from '../contract.ts';
import { computeChangePercent, getTrendClass } from '../../../ui/shell/market/price-changes.ts';
import { CloseTable } from './close-table.tsx';

/** Size of the drawing in its own units. The drawing scales to its container. */
const CHART_SIZE = 1000;

interface PriceChartProps {
  /** Daily closes, oldest first, at least two. */
  closes: readonly Close[];
  unit: PriceUnit;
  label: string;
  /** Previous close, drawn as a dashed line. Without a value there is no line. */
  prevClose: number | null;
}

/**
 * Shows daily closes as a line over round values, with a table alternative. The crosshair follows the pointer or the
 * arrow keys (a slider over the days).
 */
export function PriceChart({ closes, unit, label, prevClose }: PriceChartProps) {
  const [activeIndex, setActiveIndex] = useState<number | null>(null);
  const [isTableShown, setIsTableShown] = useState(false);
  const lastIndex = closes.length - 1;
  const change = computeChangePercent(closes) ?? 0;
  const activeClose = closes[activeIndex ?? lastIndex];
  const firstDate = closes[0]?.[0] ?? '';
  const middleDate = closes[Math.round(lastIndex / 2)]?.[0] ?? '';
  if (!activeClose) return null;
  const [day, price] = activeClose;

  function onKeyDown(event: KeyboardEvent): void {
    const currentIndex = activeIndex ?? lastIndex;
    const next = {
      ArrowLeft: currentIndex - 1,
      ArrowDown: currentIndex - 1,
      ArrowRight: currentIndex + 1,
      ArrowUp: currentIndex + 1,
      PageDown: currentIndex - 5,
      PageUp: currentIndex + 5,
      Home: 0,
      End: lastIndex,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setActiveIndex(clampIndex(next, lastIndex));
  }

  return (
    <div className="grid gap-1.5">
      <div className="flex items-baseline justify-between gap-3 text-small">
        <p className="text-ink-soft">
          {activeIndex === null ? (
            <span
              className={getTrendClass(change, '')}
            >{`${formatChange(change)} since ${formatCalendarDay(firstDate)}`}</span>
          ) : (
            <>
              <span className="font-medium text-ink">{formatPrice(price, unit)}</span>
              {` on ${formatCalendarDay(day)}`}
            </>
          )}
        </p>
        <button type="button" onClick={() => setIsTableShown(!isTableShown)} className="link shrink-0 text-small">
          {isTableShown ? 'View as chart' : 'View as table'}
        </button>
      </div>
      {isTableShown ? (
        <CloseTable closes={closes} unit={unit} label={label} />
      ) : (
        <>
          <div
            role="slider"
            tabIndex={0}
            aria-label={`Daily closes of ${label}`}
            aria-valuemin={0}
            aria-valuemax={lastIndex}
            aria-valuenow={activeIndex ?? lastIndex}
            aria-valuetext={`${formatCalendarDay(day)}: ${formatPrice(price, unit)}`}
            className="rounded-control"
            onKeyDown={onKeyDown}
            onBlur={() => setActiveIndex(null)}
          >
            <ChartDrawing
              closes={closes}
              unit={unit}
              activeIndex={activeIndex}
              prevClose={prevClose}
              tone={getTrendClass(change)}
              onActiveIndexChange={setActiveIndex}
            />
          </div>
          <p className="flex justify-between gap-2 text-micro text-ink-faint">
            <span>{formatCalendarDay(firstDate)}</span>
            {lastIndex > 7 && <span className="hidden xs:inline">{formatCalendarDay(middleDate)}</span>}
            <span>{formatCalendarDay(closes[lastIndex]?.[0] ?? day)}</span>
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

/** Returns the nearest index of an existing day. */
const clampIndex = (index: number, lastIndex: number): number => Math.max(0, Math.min(lastIndex, index));

interface ChartDrawingProps extends Omit<PriceChartProps, 'label'> {
  activeIndex: number | null;
  tone: string;
  onActiveIndexChange: (activeIndex: number | null) => void;
}

/** Draws the line, the grid lines and their values at the right. The texts keep their size at every width. */
function ChartDrawing({ closes, unit, activeIndex, prevClose, tone, onActiveIndexChange }: ChartDrawingProps) {
  const lastIndex = closes.length - 1;
  const prices = closes.map(([, close]) => close);
  const scale = computeChartScale(prevClose === null ? prices : [...prices, prevClose]);
  const x = (index: number): number => Math.round((index / lastIndex) * CHART_SIZE);
  const y = (price: number): number => Math.round(toFractionFromTop(price, scale) * CHART_SIZE);
  const line = prices.map((price, index) => `${index === 0 ? 'M' : 'L'}${x(index)} ${y(price)}`).join('');
  const values = scale.lines.map((value) => ({ value, text: formatPrice(value, unit).replace(/ of par$/, '') }));
  const longestText = values.reduce((longest, { text }) => (text.length > longest.length ? text : longest), '');

  function onPointer(event: PointerEvent): void {
    const box = event.currentTarget.getBoundingClientRect();
    onActiveIndexChange(clampIndex(Math.round(((event.clientX - box.left) / box.width) * lastIndex), lastIndex));
  }

  return (
    <div aria-hidden="true" className="grid h-44 grid-cols-[1fr_auto] gap-2">
      <div
        className={`relative touch-pan-y ${tone}`}
        onPointerMove={onPointer}
        onPointerDown={onPointer}
        onPointerLeave={() => onActiveIndexChange(null)}
      >
        <svg
          viewBox={`0 0 ${CHART_SIZE} ${CHART_SIZE}`}
          preserveAspectRatio="none"
          fill="none"
          className="absolute inset-0 h-full w-full overflow-visible *:[vector-effect:non-scaling-stroke]"
        >
          {values.map(({ value }) => (
            <path key={value} d={`M0 ${y(value)}H${CHART_SIZE}`} stroke="var(--color-line)" />
          ))}
          {prevClose !== null && (
            <path d={`M0 ${y(prevClose)}H${CHART_SIZE}`} stroke="var(--color-ink-faint)" strokeDasharray="4 3" />
          )}
          <path d={line} stroke="currentColor" strokeWidth="1.75" strokeLinejoin="round" strokeLinecap="round" />
          {activeIndex !== null && (
            <>
              <path d={`M${x(activeIndex)} 0V${CHART_SIZE}`} stroke="var(--color-line-strong)" strokeDasharray="3 3" />
              <path
                d={`M${x(activeIndex)} ${y(prices[activeIndex] ?? 0)}h0.01`}
                stroke="currentColor"
                strokeWidth="9"
                strokeLinecap="round"
              />
            </>
          )}
        </svg>
      </div>
      <div className="relative text-end text-micro text-ink-faint">
        <span className="invisible">{longestText}</span>
        {values.map(({ value, text }) => (
          <span
            key={value}
            className="absolute end-0 -translate-y-1/2"
            style={{ top: `${toFractionFromTop(value, scale) * 100}%` }}
          >
            {text}
          </span>
        ))}
      </div>
    </div>
  );
}
