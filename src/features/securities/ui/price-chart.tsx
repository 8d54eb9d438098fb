import { useState } from 'react';
import { LineChart } from '../../../ui/kit/line-chart.tsx';
import { formatChange } from '../../../ui/kit/formats.ts';
import { formatCalendarDay } from '../../../ui/shell/market/new-york-time.ts';
import { formatPrice, type PriceUnit } from '../../../ui/shell/market/price-formats.ts';
import type { Close } from '../contract.ts';
import { computeChangePercent, getTrendClass } from '../../../ui/shell/market/price-changes.ts';
import { CloseTable } from './close-table.tsx';

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
          <LineChart
            label={`Daily closes of ${label}`}
            points={closes.map(([, value], index) => ({ x: index / lastIndex, value }))}
            activeIndex={activeIndex}
            onActiveIndexChange={setActiveIndex}
            pageStep={5}
            describePoint={(index) =>
              `${formatCalendarDay(closes[index]![0])}: ${formatPrice(closes[index]![1], unit)}`
            }
            formatValue={(value) => formatPrice(value, unit).replace(/ of par$/, '')}
            dashedValue={prevClose}
            className={`h-44 ${getTrendClass(change)}`}
          />
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
