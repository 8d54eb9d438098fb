import { useQuery } from '@tanstack/react-query';
import { formatCompactMoney, formatInteger, formatMoney } from '../../../../ui/kit/formats.ts';
import { LineChart } from '../../../../ui/kit/line-chart.tsx';
import { formatCalendarDay } from '../../../../ui/kit/new-york-time.ts';
import { callApi } from '../../../../ui/shell/api/api.ts';
import { createInvestmentQuery } from '../../../../ui/shell/api/investment-query.ts';
import type { HoldingsAtPastPrices } from '../../holdings/contract.ts';

const pastPricesQuery = createInvestmentQuery('past-prices', (signal) =>
  callApi('GET /api/portfolio/holdings/past-prices', { signal }),
);

export interface PastPricesProps {
  /** Whether there is anything to value. */
  hasPrices: boolean;
  privacy: boolean;
  /** Classes for the height of the chart. */
  chartClass: string;
}

/**
 * Shows today's holdings at past prices, until there is a history of net worth. It shows no change, since the member did
 * not own them then.
 */
export default function PastPrices({ hasPrices, privacy, chartClass }: PastPricesProps) {
  const query = useQuery({ ...pastPricesQuery, enabled: hasPrices });
  const points = query.data?.points ?? [];
  const hasChart = hasPrices && query.data !== undefined && points.length >= 2;
  return (
    <section aria-label="Today’s holdings at past prices" className="contents">
      {hasChart ? (
        <PastPricesChart values={query.data} privacy={privacy} className={chartClass} />
      ) : (
        <p className={`grid place-items-center text-small text-ink-faint ${chartClass}`}>
          {!query.isLoading && 'Your chart starts after your first day.'}
        </p>
      )}
      <p className="min-h-15 pt-1 text-small text-ink-soft sm:min-h-10">
        {hasChart && (
          <>
            <span className="font-medium text-ink">Today’s holdings at past prices</span>
            {`, ${describeOmissions(query.data.excluded)}. Your own chart starts after your first day.`}
          </>
        )}
      </p>
    </section>
  );
}

interface PastPricesChartProps {
  values: HoldingsAtPastPrices;
  privacy: boolean;
  className: string;
}

function PastPricesChart({ values: { points, currency }, privacy, className }: PastPricesChartProps) {
  const describeDay = (index: number): string => formatCalendarDay(points[index]!.date);
  const formatValue = (index: number): string => formatMoney(points[index]!.value, currency);
  return (
    <LineChart
      label="Today’s holdings at past prices"
      points={points}
      pageStep={7}
      describePoint={(index) => `${describeDay(index)}: ${formatValue(index)}`}
      renderDetails={(index) => (
        <>
          <p>{describeDay(index)}</p>
          <p className="font-semibold text-ink">{formatValue(index)}</p>
        </>
      )}
      formatValue={(value) => formatCompactMoney(value, currency)}
      hidden={privacy}
      className={`text-ink-faint ${className}`}
    />
  );
}

/** Names up to three of the holdings that the chart omits. */
function describeOmissions(excluded: readonly string[]): string {
  if (excluded.length === 0) return 'without cash';
  const names = excluded.length <= 3 ? excluded.join(', ') : `${formatInteger(excluded.length)} holdings`;
  return `without cash and without ${names} (no past prices)`;
}
