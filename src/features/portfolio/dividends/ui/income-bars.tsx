import { type KeyboardEvent, useState } from 'react';
import { type ChartScale, computeChartScale } from '../../../../ui/kit/chart-scale.ts';
import { formatCompactMoney, formatMoney, formatMonth } from '../../../../ui/kit/formats.ts';
import { dividendStatuses, statusLabels } from '../../../securities/ui/shared/dividend-texts.ts';
import type { DividendsResponse, DividendStatus } from '../contract.ts';
import { describeMonth } from './dividend-texts.ts';

interface IncomeBarsProps {
  /** At least one. */
  months: DividendsResponse['months'];
  currency: string;
  privacy: boolean;
}

/** Fills of the parts of a bar. */
const fills: Readonly<Record<DividendStatus, string>> = {
  paid: 'bg-ink-faint',
  declared: 'bg-accent',
  expected: 'border border-b-0 border-accent bg-accent-soft',
};

const keyMoves: Readonly<Record<string, (index: number, last: number) => number>> = {
  ArrowRight: (index) => index + 1,
  ArrowLeft: (index) => index - 1,
  Home: () => 0,
  End: (_, last) => last,
};

/** Shows the income of each month as a bar. Pointer or arrow keys select a month. Hidden, all bars are equal. */
export function IncomeBars({ months, currency, privacy }: IncomeBarsProps) {
  const firstAhead = months.findIndex(({ declared, expected }) => declared + expected > 0);
  const [activeIndex, setActiveIndex] = useState(Math.max(0, firstAhead));
  const index = Math.min(activeIndex, months.length - 1);
  const largest = Math.max(...months.map(({ paid, declared, expected }) => paid + declared + expected));
  const scale = computeChartScale([0, largest]);
  const text = privacy ? 'hidden' : describeMonth(months[index]!, (amount) => formatMoney(amount, currency));
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = event.altKey || event.ctrlKey || event.metaKey ? undefined : keyMoves[event.key];
    if (!move) return;
    event.preventDefault();
    setActiveIndex(Math.max(0, Math.min(months.length - 1, move(index, months.length - 1))));
  };
  const middle = Math.floor((months.length - 1) / 2);
  return (
    <div className="grid gap-2">
      <div className="relative">
        {!privacy && largest > 0 && <ValueAxis scale={scale} currency={currency} />}
        <div
          role="slider"
          tabIndex={0}
          aria-label="Dividend income by month"
          aria-valuemin={0}
          aria-valuemax={months.length - 1}
          aria-valuenow={index}
          aria-valuetext={text}
          onKeyDown={onKeyDown}
          className="relative flex h-28 items-stretch border-b border-line-strong pe-12"
        >
          {months.map((month, position) => (
            <div
              key={month.month}
              onPointerEnter={() => setActiveIndex(position)}
              onPointerDown={() => setActiveIndex(position)}
              className={`flex min-w-0 flex-1 flex-col-reverse px-px sm:px-0.5 ${position === index ? 'bg-sunken' : ''}`}
            >
              {privacy ? (
                <div className="h-1/2 rounded-t-small bg-line" />
              ) : (
                dividendStatuses.map((status) => (
                  <div
                    key={status}
                    hidden={month[status] <= 0}
                    className={`box-border shrink-0 ${fills[status]}`}
                    style={{ height: `${(100 * Math.max(0, month[status])) / scale.high}%` }}
                  />
                ))
              )}
            </div>
          ))}
        </div>
      </div>
      <p aria-hidden="true" className="flex justify-between pe-12 text-micro text-ink-faint">
        <span>{formatMonth(months[0]!.month)}</span>
        {middle > 0 && <span>{formatMonth(months[middle]!.month)}</span>}
        <span>{formatMonth(months.at(-1)!.month)}</span>
      </p>
      <p aria-hidden="true" className="min-h-5 text-small">
        {text}
      </p>
      <ul aria-label="Legend" className="flex flex-wrap gap-x-4 text-micro text-ink-faint">
        {dividendStatuses
          .filter((status) => months.some((month) => month[status] !== 0))
          .map((status) => (
            <li key={status} className="flex items-center gap-1.5">
              <span aria-hidden="true" className={`size-2.5 rounded-small ${fills[status]}`} />
              {statusLabels[status]}
            </li>
          ))}
      </ul>
    </div>
  );
}

/** Grid lines with their round amounts. */
const ValueAxis = ({ scale: { high, lines }, currency }: { scale: ChartScale; currency: string }) => (
  <div aria-hidden="true" className="absolute inset-0">
    {lines
      .filter((value) => value > 0)
      .map((value) => (
        <div
          key={value}
          className="absolute inset-x-0 border-t border-line"
          style={{ bottom: `${(100 * value) / high}%` }}
        >
          <span className="num absolute end-0 top-0 text-micro text-ink-faint">
            {formatCompactMoney(value, currency)}
          </span>
        </div>
      ))}
  </div>
);
