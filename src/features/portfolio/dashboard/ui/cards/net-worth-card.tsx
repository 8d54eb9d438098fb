import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useMemo, useState } from 'react';
import { formatMoney } from '../../../../../ui/kit/formats.ts';
import { formatCalendarDay, formatNewYorkDay } from '../../../../../ui/shell/market/new-york-time.ts';
import { Explained } from '../../../../../ui/shell/explain/explained.tsx';
import { MaskedAmount } from '../../../../../ui/kit/masked-amount.tsx';
import { useStore } from '../../../../../ui/kit/use-store.ts';
import { demoTour } from '../../../../../ui/shell/session/demo-tour.ts';
import { useIsSampleUser } from '../../../../../ui/shell/session/sample-user.ts';
import type { BaseNetWorth, NetWorthResponse } from '../../../net-worth/contract.ts';
import { getLocaleCurrency, saveLocaleCurrency } from '../../../../../ui/shell/base-currency/base-currency.ts';
import { BaseCurrencySelect } from '../../../../../ui/shell/base-currency/base-currency-select.tsx';
import { CurrencyList, ExcludedAmounts } from '../../../net-worth/ui/currency-list.tsx';
import { useNetWorth, wholeNetWorthQuery } from '../../../net-worth/ui/net-worth-queries.ts';
import type { CardProps } from '../../../../../ui/shell/dashboard/dashboard-card.ts';
import { QueryCard } from './query-card.tsx';
import { EmptyCard } from './empty-card.tsx';
import { roundNetWorth } from '../../../net-worth/ui/round-net-worth.ts';
import { ChangeParts, NetWorthGain, SelectedDay } from '../../../net-worth/ui/net-worth-change.tsx';
import { NetWorthChart } from '../../../net-worth/ui/net-worth-chart.tsx';
import {
  hasMarkedFlow,
  type NetWorthPoint,
  toNetWorthPoints,
  type NetWorthRange,
  netWorthRanges,
} from '../../../net-worth/ui/net-worth-history.ts';

/** Shows the dashboard's card `net_worth`: cash and investments in the base currency, with their history. */
export function NetWorthCard({ privacy, presence, onAddInvestment }: CardProps) {
  const emptyNetWorth = (
    <EmptyCard
      text="The total of your cash and investments, day by day."
      action={{ label: 'Add investment', run: onAddInvestment }}
    />
  );
  const query = useNetWorth();
  const base = query.data && query.data.currencies.length > 0 ? query.data.base : undefined;
  return (
    <QueryCard
      title="Net worth"
      query={query}
      actions={base && <BaseCurrencySelect currency={base.currency} />}
      skeleton={presence.netWorth ? <NetWorthSkeleton /> : emptyNetWorth}
    >
      {(data) =>
        data.currencies.length === 0 ? (
          emptyNetWorth
        ) : (
          <NetWorthDetails data={data} today={formatNewYorkDay(new Date(query.dataUpdatedAt))} privacy={privacy} />
        )
      }
    </QueryCard>
  );
}

/** On phones the controls have lines of their own, so the content has its height before the data load. */
const contentClass = 'flex min-h-110 flex-1 flex-col px-4 pb-4 sm:min-h-0 sm:px-5 sm:pb-5';
const ranges = Object.keys(netWorthRanges) as NetWorthRange[];

function NetWorthDetails({ data, today, privacy }: { data: NetWorthResponse; today: string; privacy: boolean }) {
  const { base } = data;
  const { currency } = base;
  useLocaleCurrency(base);
  const [range, setRange] = useState<NetWorthRange>('1Y');
  const [activePoint, setActivePoint] = useState<NetWorthPoint | null>(null);
  const wholeHistory = useQuery({ ...wholeNetWorthQuery, enabled: range === 'All' });
  const currentAmounts = data.currencies.filter(
    ({ cash, liabilities, investments }) => cash !== 0 || liabilities !== 0 || investments !== 0,
  );
  // Without any rate there is no figure. Zero would be wrong.
  const isKnown = base.excluded.length === 0 || base.excluded.length < currentAmounts.length;
  const ranged = range === 'All' ? (wholeHistory.data?.base ?? base) : base;
  const { period } = netWorthRanges[range];
  const days = { today, session: data.session_day };
  const change = isKnown ? ranged.changes.find((candidate) => candidate.period === period) : undefined;
  const dayChange = isKnown ? base.changes.find((candidate) => candidate.period === '1d') : undefined;
  const points = useMemo(() => (change ? toNetWorthPoints(ranged, change.from, today) : []), [change, ranged, today]);
  // A member of the first day has no chart, so that no range can change one. A chosen range can be left again.
  const hasChart = points.length >= 2 || range !== '1Y';
  return (
    <div className={contentClass}>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-h-28 sm:min-h-27">
          <p className="text-figure font-semibold tracking-tight">
            {isKnown ? (
              <Explained figure={{ of: 'net-worth', part: 'total' }}>
                <MaskedAmount hidden={privacy} mask="$888,888.88">
                  {formatMoney(activePoint?.total ?? base.total, currency)}
                </MaskedAmount>
              </Explained>
            ) : (
              '—'
            )}
          </p>
          {activePoint ? (
            <SelectedDay point={activePoint} isFirst={activePoint.date === points[0]?.date} currency={currency} />
          ) : (
            <div className="text-small leading-6">
              {[dayChange, change].map(
                (shown) =>
                  shown && (
                    <p key={shown.period}>
                      <NetWorthGain
                        change={shown}
                        currency={currency}
                        days={days}
                        privacy={privacy}
                        scope={shown === dayChange && base.rates.length > 0 ? 'with exchange rates' : undefined}
                      />
                    </p>
                  ),
              )}
              {isKnown && !dayChange && (
                <p className="text-ink-faint">No day change yet: it needs the net worth of an earlier day.</p>
              )}
              {change && <ChangeParts change={change} currency={currency} days={days} privacy={privacy} />}
            </div>
          )}
        </div>
        {hasChart && <ChoiceRow legend="Range" options={ranges} chosen={range} onChoose={setRange} />}
      </div>
      <div className="flex flex-1 flex-col pt-3">
        {points.length < 2 ? (
          <p className="grid min-h-28 flex-1 place-items-center text-small text-ink-faint">
            Your chart starts after your first day.
          </p>
        ) : (
          <NetWorthChart
            key={`${currency} ${range}`}
            points={points}
            currency={currency}
            hidden={privacy}
            onActivePointChange={setActivePoint}
          />
        )}
        <p aria-hidden="true" className="flex justify-between pt-1 text-micro text-ink-faint">
          <span>{points.length > 1 && formatCalendarDay(points[0]!.date)}</span>
          {points.some(hasMarkedFlow) && (
            <span className="flex items-center gap-1.5">
              <span className="size-2 rounded-full border-2 border-accent" />
              Added or withdrawn
            </span>
          )}
          <span>Today</span>
        </p>
      </div>
      <NetWorthParts base={base} isKnown={isKnown} privacy={privacy} />
      <CurrencyList amounts={currentAmounts} base={base} privacy={privacy} />
      <ExcludedAmounts excluded={base.excluded} privacy={privacy} />
      {data.unpriced.length > 0 && (
        <p className="pt-2 text-small text-ink-faint">{`Not included (no price): ${data.unpriced.join(', ')}.`}</p>
      )}
    </div>
  );
}

const partLabels = { investments: 'Investments', cash: 'Cash', liabilities: 'Liabilities' } as const;

interface NetWorthPartsProps {
  base: BaseNetWorth;
  /** Whether any amount could be converted to the base currency. */
  isKnown: boolean;
  privacy: boolean;
}

/** Shows investments, cash and, if there are any, liabilities in the base currency. */
function NetWorthParts({ base, isKnown, privacy }: NetWorthPartsProps) {
  const rounded = roundNetWorth(base, base.currency);
  return (
    <dl className="mt-3 flex flex-wrap gap-x-6 gap-y-1 border-t border-line pt-3">
      {(['investments', 'cash', 'liabilities'] as const)
        .filter((part) => part !== 'liabilities' || base.liabilities !== 0)
        .map((part) => (
          <div key={part} className="flex items-baseline gap-2">
            <dt className="text-small text-ink-soft">{partLabels[part]}</dt>
            <dd className="font-medium">
              {isKnown ? (
                <Explained figure={{ of: 'net-worth', part, shown: rounded[part] }}>
                  <MaskedAmount hidden={privacy}>{formatMoney(rounded[part], base.currency)}</MaskedAmount>
                </Explained>
              ) : (
                '—'
              )}
            </dd>
          </div>
        ))}
    </dl>
  );
}

/** Saves the currency of the browser's locale once, for a member who has no base currency yet. */
function useLocaleCurrency({ currency, chosen }: BaseNetWorth): void {
  const queries = useQueryClient();
  const isTourRunning = useStore(demoTour);
  const isReadOnly = useIsSampleUser() || isTourRunning;
  useEffect(() => {
    const localeCurrency = getLocaleCurrency(navigator.language);
    if (!chosen && !isReadOnly && localeCurrency !== currency) void saveLocaleCurrency(queries, localeCurrency);
  }, [chosen, currency, isReadOnly, queries]);
}

interface ChoiceRowProps<Option extends string> {
  legend: string;
  options: readonly Option[];
  chosen: Option;
  onChoose: (option: Option) => void;
}

/** Shows exclusive options as radio buttons with their standard arrow keys. */
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

const NetWorthSkeleton = () => (
  <div aria-hidden="true" className={contentClass}>
    <span className="skeleton h-9 w-52" />
    <span className="skeleton mt-2 h-4 w-40" />
    <span className="skeleton mt-6 min-h-40 w-full flex-1" />
    <span className="skeleton mt-8 h-5 w-full" />
  </div>
);
