import { useQuery } from '@tanstack/react-query';
import { type RefCallback, useMemo } from 'react';
import { ErrorMessage } from '../../../../ui/kit/error-message.tsx';
import { formatChange } from '../../../../ui/kit/formats.ts';
import { LineChart } from '../../../../ui/kit/line-chart.tsx';
import { formatCalendarDay } from '../../../../ui/kit/new-york-time.ts';
import { SelectMenu } from '../../../../ui/kit/select-menu.tsx';
import { callApi } from '../../../../ui/shell/api/api.ts';
import { investmentsQueryKey } from '../../../../ui/shell/api/investment-query.ts';
import { portfolioHoldingsQuery } from '../../holdings/ui/holdings-queries.ts';
import { type Comparison, compareReturns } from '../../net-worth/ui/compare-returns.ts';
import type { NetWorthPoint } from '../../net-worth/ui/net-worth-history.ts';

/** Funds that anyone can compare with. Held ETFs are offered too. */
const FUNDS = ['VOO', 'VTI', 'QQQ', 'VXUS'];
const POLL_INTERVAL_MS = 3_000;
const MAX_POLLS = 5;

export interface FundComparisonProps {
  /** Every day of the period, at least two. */
  points: readonly NetWorthPoint[];
  /** Days of the chart. */
  shownDates: ReadonlySet<string>;
  /** Symbol of the fund. */
  fund: string;
  /** Classes for the height of the chart. */
  chartClass: string;
  /** Receives the select of the fund. */
  selectRef: RefCallback<HTMLSelectElement>;
  /** Receives another fund, or null to end the comparison. */
  onChoose: (fund: string | null) => void;
}

/** Shows the time-weighted return of net worth beside the price return of a fund, over the same days. */
export default function FundComparison({
  points,
  shownDates,
  fund,
  chartClass,
  selectRef,
  onChoose,
}: FundComparisonProps) {
  const query = useFund(fund);
  const security = query.data?.locked === false ? query.data : undefined;
  const compared = useMemo(
    () =>
      security &&
      compareReturns(points, shownDates, security.ranges['1Y'] ?? security.ranges['1M'] ?? [], security.price),
    [points, shownDates, security],
  );
  return (
    <>
      {compared?.ok ? (
        <ComparisonChart compared={compared} fund={fund} className={chartClass} />
      ) : (
        <div className={`grid place-items-center text-small text-ink-faint ${chartClass}`}>
          {query.isError ? (
            <ErrorMessage
              error={query.error}
              retry={() => {
                void query.refetch();
              }}
            />
          ) : (
            !query.isPending && <p>{getMissingMessage(fund, compared)}</p>
          )}
        </div>
      )}
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-3 text-small text-ink-soft">
        <SelectMenu
          label="Fund to compare with"
          value={fund}
          options={useFundOptions(fund)}
          selectRef={selectRef}
          onChange={onChoose}
          className="-ms-2"
          selectClassName="min-h-8 ps-2"
        />
        <button type="button" className="link min-h-8" onClick={() => onChoose(null)}>
          End the comparison
        </button>
      </div>
      <p className="min-h-15 text-small text-ink-soft sm:min-h-10">
        {compared?.ok && security && describeComparison(compared, fund, security.currency)}
      </p>
    </>
  );
}

type ComparedReturns = Extract<Comparison, { ok: true }>;

interface ComparisonChartProps {
  compared: ComparedReturns;
  fund: string;
  className: string;
}

function ComparisonChart({ compared: { netWorth, fund: fundReturns }, fund, className }: ComparisonChartProps) {
  const describeNetWorth = (index: number): string => `net worth ${formatChange(netWorth[index]!.value)}`;
  const describeFund = (index: number): string => `${fund} ${formatChange(fundReturns[index]!.value)}`;
  const describeDay = (index: number): string => formatCalendarDay(netWorth[index]!.date);
  return (
    <LineChart
      key={`${fund} ${netWorth[0]!.date}`}
      label={`Return of net worth and ${fund}`}
      points={netWorth}
      comparison={fundReturns}
      pageStep={7}
      describePoint={(index) => `${describeDay(index)}: ${describeNetWorth(index)}, ${describeFund(index)}`}
      renderDetails={(index) => (
        <>
          <p>{describeDay(index)}</p>
          <p className="font-semibold text-accent first-letter:uppercase">{describeNetWorth(index)}</p>
          <p className="font-semibold">{describeFund(index)}</p>
          <p>{`since ${describeDay(0)}`}</p>
        </>
      )}
      formatValue={formatChange}
      className={`text-accent ${className}`}
    />
  );
}

/** Says in words what both lines are. */
function describeComparison(
  { netWorth, fund: returns }: ComparedReturns,
  fund: string,
  currency: string | null,
): string {
  const since = formatCalendarDay(netWorth[0]!.date);
  const unit = currency === null ? '' : ` in ${currency}`;
  return (
    `Since ${since}: net worth ${formatChange(netWorth.at(-1)!.value)}, time-weighted, so that deposits and withdrawals ` +
    `do not count (solid line). ${fund} ${formatChange(returns.at(-1)!.value)}, its price${unit} with splits and ` +
    'without dividends (dashed line).'
  );
}

function getMissingMessage(fund: string, compared: Comparison | undefined): string {
  if (compared?.ok === false && compared.reason === 'not_positive')
    return 'No return: net worth was not positive on a day of this period.';
  return `No closes of ${fund} in this period.`;
}

/** Reads a fund with a year of closes. The first read of a fund starts to fetch them, so a few more follow. */
function useFund(symbol: string) {
  return useQuery({
    queryKey: [...investmentsQueryKey, 'compared-fund', symbol],
    queryFn: ({ signal }) => callApi('GET /api/securities/{symbol}', { params: { symbol }, signal }),
    refetchInterval: ({ state }) =>
      state.data?.locked === false && state.data.ranges['1Y'] === undefined && state.dataUpdateCount < MAX_POLLS
        ? POLL_INTERVAL_MS
        : false,
  });
}

/** Returns the funds to choose from: the usual ones, the held ETFs, and the one of the address. */
function useFundOptions(fund: string): Record<string, string> {
  const holdings = useQuery({ ...portfolioHoldingsQuery, enabled: false }).data?.holdings ?? [];
  const held = holdings.flatMap(({ symbol, asset_type: type }) => (type === 'etf' && symbol !== null ? symbol : []));
  return Object.fromEntries([...FUNDS, ...held, fund].map((symbol) => [symbol, `Compared with ${symbol}`]));
}
