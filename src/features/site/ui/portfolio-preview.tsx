import { formatCompactMoney, formatDay, formatMoney } from '../../../ui/kit/formats.ts';
import { LineChart } from '../../../ui/kit/line-chart.tsx';
import { holdings, LAST_DAY, netWorthByWeek } from './sample-figures.ts';
import { SampleSecurities } from './sample-securities.tsx';

const LAST_WEEK = netWorthByWeek.length - 1;
const WEEK_MS = 7 * 86_400_000;
const points = netWorthByWeek.map((value, week) => ({
  date: new Date(Date.parse(LAST_DAY) - (LAST_WEEK - week) * WEEK_MS).toISOString().slice(0, 10),
  value,
}));

/** Shows net worth over a year and the largest holdings with the components of the product. */
export function PortfolioPreview() {
  const describeDay = (week: number): string => formatDay(`${points[week]!.date}T12:00`);
  const formatAmount = (week: number): string => formatMoney(netWorthByWeek[week]!, 'USD', 0);
  // A percentage would count what was added as a gain.
  const formatAmountChange = (week: number): string => {
    const change = netWorthByWeek[week]! - netWorthByWeek[0]!;
    return `${change > 0 ? '+' : ''}${formatMoney(change, 'USD', 0)}`;
  };
  return (
    <section aria-label="A sample portfolio" className="card shadow-raised">
      <div className="grid gap-1 px-4 pt-4 sm:px-5">
        <p className="flex items-baseline justify-between gap-3 text-small text-ink-faint">
          <span>Net worth</span>
          <span>Sample data</span>
        </p>
        <p className="text-figure font-semibold tracking-tight">{formatAmount(LAST_WEEK)}</p>
        <p className="text-small">
          <span className="text-gain">{formatAmountChange(LAST_WEEK)}</span> in a year
        </p>
        <LineChart
          label="Net worth of the sample portfolio over a year"
          points={points}
          pageStep={4}
          describePoint={(week) => `${describeDay(week)}: ${formatAmount(week)}`}
          renderDetails={(week) => (
            <>
              <p>{describeDay(week)}</p>
              <p className="font-semibold text-ink">{formatAmount(week)}</p>
              {week > 0 && <p>{`${formatAmountChange(week)} since ${describeDay(0)}`}</p>}
            </>
          )}
          formatValue={(amount) => formatCompactMoney(amount, 'USD')}
          className="mt-3 h-42 text-accent sm:h-50"
        />
      </div>
      <div className="mt-4">
        <SampleSecurities label="Largest holdings" securities={holdings} decimals={0} />
      </div>
    </section>
  );
}
