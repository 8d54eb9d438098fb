import { useId, useMemo, useState } from 'react';
import { formatChange, formatMoney } from '../../../../ui/kit/formats.ts';
import { formatCalendarDay, newYorkDay } from '../../../../ui/shell/market/new-york-time.ts';
import { formatPriceChange } from '../../../../ui/shell/market/price-formats.ts';
import { PrivateFigure } from '../../../../ui/kit/private-figure.tsx';
import type { NetWorthResponse } from '../../contract.ts';
import { useNetWorth } from '../card-queries.ts';
import type { CardProps } from '../../../../ui/shell/dashboard/dashboard-card.ts';
import { CardShell } from './card-shell.tsx';
import { EmptyCard } from './empty-card.tsx';
import { NetWorthChart } from './net-worth-chart.tsx';
import {
  type CurrencyWorth,
  worthChange,
  type WorthPoint,
  worthPoints,
  type WorthRange,
  worthRanges,
} from './worth-history.ts';

/**
 * The dashboard's card `net_worth`: cash and investments together, and how they came here. Currencies are never mixed.
 */
export function NetWorthCard({ privacy, has }: CardProps) {
  const query = useNetWorth();
  return (
    <CardShell title="Net worth" query={query} skeleton={has.worth ? <WorthSkeleton /> : noWorth}>
      {(data) =>
        data.currencies.length === 0 ? (
          noWorth
        ) : (
          <Worth data={data} today={newYorkDay(new Date(query.dataUpdatedAt))} privacy={privacy} />
        )
      }
    </CardShell>
  );
}

const noWorth = (
  <EmptyCard title="Start with one investment" text="What you own and your cash add up here, day by day." />
);
const ranges = Object.keys(worthRanges) as WorthRange[];

function Worth({ data, today, privacy }: { data: NetWorthResponse; today: string; privacy: boolean }) {
  const [wanted, setWanted] = useState<string | null>(null);
  const [range, setRange] = useState<WorthRange>('1Y');
  const [looked, setLooked] = useState<WorthPoint | null>(null);
  const worth = data.currencies.find(({ currency }) => currency === wanted) ?? longestKept(data.currencies);
  const points = useMemo(() => (worth ? worthPoints(worth, range, today) : []), [worth, range, today]);
  if (!worth) return null;
  const { currency } = worth;
  const owned = { Investments: worth.investments, Cash: worth.cash };
  return (
    <div className="flex flex-1 flex-col px-4 pb-4 sm:px-5 sm:pb-5">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div>
          <p className="text-figure font-semibold tracking-tight">
            <PrivateFigure hidden={privacy} mask="$888,888.88">
              {formatMoney(looked?.total ?? worth.total, currency)}
            </PrivateFigure>
          </p>
          <p className="min-h-5 text-small">
            {looked ? (
              <span className="text-ink-soft">{formatCalendarDay(looked.date)}</span>
            ) : (
              <Change points={points} currency={currency} range={range} privacy={privacy} />
            )}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {data.currencies.length > 1 && (
            <ChoiceRow
              legend="Currency"
              options={data.currencies.map((each) => each.currency)}
              chosen={currency}
              onChoose={setWanted}
            />
          )}
          <ChoiceRow legend="Range" options={ranges} chosen={range} onChoose={setRange} />
        </div>
      </div>
      <div className="flex flex-1 flex-col pt-4">
        {points.length < 2 ? (
          <p className="grid min-h-40 flex-1 place-items-center text-small text-ink-faint">
            The line begins with the end of your first day.
          </p>
        ) : (
          <NetWorthChart
            key={`${currency} ${range}`}
            points={points}
            currency={currency}
            hidden={privacy}
            onLook={setLooked}
          />
        )}
        <p aria-hidden="true" className="flex justify-between pt-1 text-micro text-ink-faint">
          <span>{points.length > 1 && formatCalendarDay(points[0]!.date)}</span>
          <span>Today</span>
        </p>
      </div>
      <dl className="mt-3 flex flex-wrap gap-x-6 gap-y-1 border-t border-line pt-3">
        {Object.entries(owned).map(([name, amount]) => (
          <div key={name} className="flex items-baseline gap-2">
            <dt className="text-small text-ink-soft">{name}</dt>
            <dd className="font-medium">
              <PrivateFigure hidden={privacy}>{formatMoney(amount, currency)}</PrivateFigure>
            </dd>
          </div>
        ))}
      </dl>
      {data.unpriced.length > 0 && (
        <p className="pt-2 text-small text-ink-faint">
          {`Not counted, since there is no price: ${data.unpriced.join(', ')}.`}
        </p>
      )}
    </div>
  );
}

/** The currency with the longest history, so that the first look is at the main account. */
const longestKept = (all: readonly CurrencyWorth[]): CurrencyWorth | undefined =>
  all.toSorted((a, b) => b.history.length - a.history.length || b.total - a.total)[0];

interface ChangeProps {
  points: readonly WorthPoint[];
  currency: string;
  range: WorthRange;
  privacy: boolean;
}

function Change({ points, currency, range, privacy }: ChangeProps) {
  const change = worthChange(points);
  if (!change) return null;
  const tone = change.amount === 0 ? 'text-ink-soft' : change.amount > 0 ? 'text-gain' : 'text-loss';
  return (
    <>
      <PrivateFigure hidden={privacy} mask="+$8,888.88 (+8.88%)">
        <span className={`font-medium ${tone}`}>
          {formatPriceChange(change.amount, { currency, price_unit: 'currency' })}
          {change.percent !== null && ` (${formatChange(change.percent)})`}
        </span>
      </PrivateFigure>{' '}
      <span className="text-ink-faint">{worthRanges[range].name}</span>
    </>
  );
}

interface ChoiceRowProps<Option extends string> {
  legend: string;
  options: readonly Option[];
  chosen: Option;
  onChoose: (option: Option) => void;
}

/** A few choices of which one holds: radio buttons, so that the arrow keys work as everywhere. */
function ChoiceRow<Option extends string>({ legend, options, chosen, onChoose }: ChoiceRowProps<Option>) {
  const name = useId();
  return (
    <fieldset className="flex rounded-control border border-line p-0.5">
      <legend className="sr-only">{legend}</legend>
      {options.map((option) => (
        <label key={option} className="choice relative">
          <input
            type="radio"
            name={name}
            value={option}
            checked={option === chosen}
            onChange={() => onChoose(option)}
            className="sr-only"
          />
          {option}
        </label>
      ))}
    </fieldset>
  );
}

const WorthSkeleton = () => (
  <div aria-hidden="true" className="flex flex-1 flex-col px-4 pb-5 sm:px-5">
    <span className="skeleton h-9 w-52" />
    <span className="skeleton mt-2 h-4 w-40" />
    <span className="skeleton mt-6 min-h-40 w-full flex-1" />
    <span className="skeleton mt-10 h-5 w-full" />
  </div>
);
