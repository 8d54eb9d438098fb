import { useState } from 'react';
import { createDateFormat } from '../../../ui/kit/date-format.ts';
import { LineChart } from '../../../ui/kit/line-chart.tsx';
import { formatChange } from '../../../ui/kit/formats.ts';
import { formatCalendarDay } from '../../../ui/kit/new-york-time.ts';
import { formatPrice, type PriceUnit } from '../../../ui/kit/price-formats.ts';
import type { Close } from '../contract.ts';
import { computeChangePercent, getTrendClass } from '../../../ui/kit/price-changes.ts';
import { CloseTable } from './close-table.tsx';

const formatDayOfYear = createDateFormat({ month: 'short', day: 'numeric', timeZone: 'UTC' });

/**
 * Names the closes that a change is between: `Oct 30 to Nov 27 close`, with years if they differ. The price above is newer
 * than the last close.
 */
function formatPeriod(closes: readonly Close[]): string {
  const first = closes[0]![0];
  const last = closes.at(-1)![0];
  const isOneYear = first.slice(0, 4) === last.slice(0, 4);
  const format = (day: string): string =>
    isOneYear ? formatDayOfYear(new Date(`${day}T00:00:00Z`)) : formatCalendarDay(day);
  return `${format(first)} to ${format(last)} close`;
}

interface PriceChartProps {
  /** Daily closes, oldest first, at least two. */
  closes: readonly Close[];
  unit: PriceUnit;
  label: string;
  /** Previous close, drawn as a dashed line. Without a value there is no line. */
  prevClose: number | null;
}

/** Shows daily closes as a line over round values and dates, with a table alternative. */
export function PriceChart({ closes, unit, label, prevClose }: PriceChartProps) {
  const [isTableShown, setIsTableShown] = useState(false);
  const change = computeChangePercent(closes) ?? 0;
  const since = `since ${formatCalendarDay(closes[0]![0])}`;
  const describeChange = (index: number): string | undefined =>
    index === 0 ? undefined : `${formatChange(computeChangePercent(closes.slice(0, index + 1)) ?? 0)} ${since}`;

  return (
    <div className="grid gap-1.5">
      <div className="flex items-baseline justify-between gap-3 text-small">
        <p className="text-ink-soft">
          <span className={getTrendClass(change, '')}>{`${formatChange(change)}, ${formatPeriod(closes)}`}</span>
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
            points={closes.map(([date, value]) => ({ date, value }))}
            pageStep={5}
            describePoint={(index) => {
              const [date, price] = closes[index]!;
              const parts = [formatPrice(price, unit), describeChange(index)];
              return `${formatCalendarDay(date)}: ${parts.filter(Boolean).join(', ')}`;
            }}
            renderDetails={(index) => {
              const [date, price] = closes[index]!;
              const changeSince = describeChange(index);
              return (
                <>
                  <p>{formatCalendarDay(date)}</p>
                  <p className="font-semibold text-ink">{formatPrice(price, unit)}</p>
                  {changeSince !== undefined && <p>{changeSince}</p>}
                </>
              );
            }}
            formatValue={(value) => formatPrice(value, unit).replace(/ of par$/, '')}
            dashedValue={prevClose}
            className={`h-50 ${getTrendClass(change)}`}
          />
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
