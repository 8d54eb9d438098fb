import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useMemo, useRef } from 'react';
import { ChoiceGroup } from '../../../../../ui/kit/choice-group.tsx';
import { formatMoney } from '../../../../../ui/kit/formats.ts';
import { formatNewYorkDay } from '../../../../../ui/kit/new-york-time.ts';
import { Explained } from '../../../explain/ui/explained.tsx';
import { MaskedAmount } from '../../../../../ui/kit/masked-amount.tsx';
import { useStore } from '../../../../../ui/kit/use-store.ts';
import { LazyComponent } from '../../../../../ui/shell/loading/lazy-component.tsx';
import { replaceSearchParam, useSearchParams } from '../../../../../ui/shell/navigation/location.ts';
import { demoTour } from '../../../../../ui/shell/session/demo-tour.ts';
import { useIsSampleUser } from '../../../../../ui/shell/session/sample-user.ts';
import type { BaseNetWorth, NetWorthResponse } from '../../../net-worth/contract.ts';
import { saveLocaleCurrency } from '../../../net-worth/ui/base-currency.ts';
import { BaseCurrencySelect } from '../../../net-worth/ui/base-currency-select.tsx';
import { CurrencyList, ExcludedAmounts } from '../../../net-worth/ui/currency-list.tsx';
import { useNetWorth, wholeNetWorthQuery } from '../../../net-worth/ui/net-worth-queries.ts';
import type { CardProps } from '../shared/dashboard-card.ts';
import { DownloadMenu } from '../../../net-worth/ui/download-menu.tsx';
import { QueryCard } from './query-card.tsx';
import { EmptyCard } from './empty-card.tsx';
import { roundNetWorth } from '../../../net-worth/ui/round-net-worth.ts';
import { ChangeParts, NetWorthGain } from '../../../net-worth/ui/net-worth-change.tsx';
import { lazyComparison, lazyPastPrices } from '../lazy-components.ts';
import { NetWorthChart } from '../../../net-worth/ui/net-worth-chart.tsx';
import {
  evenOut,
  hasMarkedFlow,
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
      id="net_worth"
      title="Net worth"
      query={query}
      actions={
        base && (
          <>
            <BaseCurrencySelect currency={base.currency} />
            <DownloadMenu file="GET /api/net-worth/export.csv" label="More for net worth" />
          </>
        )
      }
      hasRows={presence.netWorth}
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
const contentClass = 'flex flex-1 flex-col px-4 pb-4 sm:px-5 sm:pb-5';
/** The line alone is at least 264 px high from 640 px on. */
const chartClass = 'min-h-54 flex-1 sm:min-h-72';
const ranges = Object.keys(netWorthRanges) as NetWorthRange[];
const DEFAULT_RANGE: NetWorthRange = '1Y';
/** Fund of the first comparison. */
const DEFAULT_FUND = 'VOO';
/** Parameters of the address that keep what the chart shows. */
const PERIOD = 'period';
const FUND = 'compare';

function NetWorthDetails({ data, today, privacy }: { data: NetWorthResponse; today: string; privacy: boolean }) {
  const { base } = data;
  const { currency } = base;
  useLocaleCurrency(base);
  const search = useSearchParams();
  const range = ranges.find((name) => name === search.get(PERIOD)) ?? DEFAULT_RANGE;
  const fund = search.get(FUND);
  // The pressed control is replaced by the other one, which takes the focus.
  const isControlPressed = useRef(false);
  const takeFocus = (control: HTMLElement | null): void => {
    if (control === null || !isControlPressed.current) return;
    isControlPressed.current = false;
    control.focus();
  };
  const chooseFund = (symbol: string | null): void => {
    isControlPressed.current = symbol === null || fund === null;
    replaceSearchParam(FUND, symbol);
  };
  const rangeGroup = useId();
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
  const shownPoints = useMemo(() => evenOut(points), [points]);
  // A member of the first day has no chart, so that no range can change one. A chosen range can be left again.
  const hasChart = points.length >= 2 || range !== DEFAULT_RANGE;
  return (
    <div className={contentClass}>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-h-28 sm:min-h-27">
          <p className="text-figure font-semibold tracking-tight">
            {isKnown ? (
              <Explained figure={{ of: 'net-worth', part: 'total' }}>
                <MaskedAmount hidden={privacy} mask="$888,888.88">
                  {formatMoney(base.total, currency)}
                </MaskedAmount>
              </Explained>
            ) : (
              '—'
            )}
          </p>
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
              <p className="text-ink-faint">Net worth has no day change yet: it needs that of an earlier day.</p>
            )}
            {change && <ChangeParts change={change} currency={currency} days={days} privacy={privacy} />}
          </div>
        </div>
        {hasChart && (
          <div className="max-sm:w-full">
            <ChoiceGroup
              legend="Range"
              name={rangeGroup}
              options={ranges.map((name) => ({ id: name, label: name }))}
              value={range}
              onChange={(name) => replaceSearchParam(PERIOD, name === DEFAULT_RANGE ? null : name)}
              isWide
            />
          </div>
        )}
      </div>
      <div className="flex flex-1 flex-col pt-3">
        {points.length < 2 && (
          <LazyComponent
            component={lazyPastPrices}
            // A range without days is no reason to show other figures than those of the history.
            props={{ hasPrices: range === DEFAULT_RANGE && base.investments !== 0, privacy, chartClass }}
            fallback={
              <>
                <div className={chartClass} />
                <div className="h-15 sm:h-10" />
              </>
            }
          />
        )}
        {points.length >= 2 && fund !== null && !privacy && (
          <LazyComponent
            component={lazyComparison}
            props={{
              points,
              shownDates: new Set(shownPoints.map(({ date }) => date)),
              fund,
              chartClass,
              selectRef: takeFocus,
              onChoose: chooseFund,
            }}
            fallback={<div className={chartClass} />}
          />
        )}
        {points.length >= 2 && (fund === null || privacy) && (
          <>
            <NetWorthChart
              key={`${currency} ${range}`}
              points={shownPoints}
              currency={currency}
              hidden={privacy}
              className={chartClass}
            />
            <p className="flex min-h-8 items-center justify-between text-small text-ink-faint">
              <span className="flex items-center gap-1.5">
                {shownPoints.some(hasMarkedFlow) && (
                  <>
                    <span className="size-2 rounded-full border-2 border-accent" />
                    Added or withdrawn
                  </>
                )}
              </span>
              {!privacy && (
                <button
                  ref={takeFocus}
                  type="button"
                  className="link min-h-8"
                  {...lazyComparison.preloadProps}
                  onClick={() => chooseFund(DEFAULT_FUND)}
                >
                  Compare with a fund
                </button>
              )}
            </p>
          </>
        )}
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
function useLocaleCurrency({ chosen }: BaseNetWorth): void {
  const queries = useQueryClient();
  const isTourRunning = useStore(demoTour);
  const isReadOnly = useIsSampleUser() || isTourRunning;
  useEffect(() => {
    // The most usual locale has the default currency, so nothing is loaded for it.
    if (chosen || isReadOnly || /^en(-US)?$/.test(navigator.language)) return;
    import('../../../net-worth/ui/locale-currency.ts').then(
      ({ getLocaleCurrency }) => saveLocaleCurrency(queries, getLocaleCurrency(navigator.language)),
      () => undefined,
    );
  }, [chosen, isReadOnly, queries]);
}

const NetWorthSkeleton = () => (
  <div aria-hidden="true" className={contentClass}>
    <div className="flex flex-wrap gap-y-2">
      <div className="min-h-28 w-full sm:min-h-27">
        <span className="skeleton h-9 w-52" />
        <span className="skeleton mt-2 h-4 w-40" />
      </div>
      <span className="h-9.5 sm:hidden" />
    </div>
    <div className={`mt-3 grid ${chartClass}`}>
      <span className="skeleton size-full" />
    </div>
    <span className="mt-8 h-3 border-b border-line" />
    <span className="skeleton mt-3 h-5 w-full" />
  </div>
);
