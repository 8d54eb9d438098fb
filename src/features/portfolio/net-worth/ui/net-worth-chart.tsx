import { formatCompactMoney, formatMoney } from '../../../../ui/kit/formats.ts';
import { LineChart } from '../../../../ui/kit/line-chart.tsx';
import { formatCalendarDay } from '../../../../ui/kit/new-york-time.ts';
import { getTrendClass } from '../../../../ui/kit/price-changes.ts';
import { formatSignedAmount } from '../../../../ui/kit/price-formats.ts';
import { formatFlows } from './net-worth-change.tsx';
import { computeGainSince, hasMarkedFlow, listNamedFlows, type NetWorthPoint } from './net-worth-history.ts';

interface NetWorthChartProps {
  /** At least two. */
  points: readonly NetWorthPoint[];
  currency: string;
  hidden: boolean;
  className: string;
}

/** Shows the line of net worth with its flows. Pointer or arrow keys select a day. Hidden, it is an unreadable blur. */
export function NetWorthChart({ points, currency, hidden, className }: NetWorthChartProps) {
  const namedFlows = listNamedFlows(points);
  const describeFlows = (index: number): string | undefined =>
    index === 0 ? undefined : formatFlows(points[index]!.flows ?? 0, currency);
  const describeGain = (index: number): string =>
    `${formatSignedAmount(computeGainSince(points, index), currency)} since ${formatCalendarDay(points[0]!.date)}`;
  return (
    <LineChart
      label="Net worth over time"
      points={points.map((point, index) => ({
        date: point.date,
        value: point.total,
        isMarked: hasMarkedFlow(point, index),
        label: namedFlows.includes(index)
          ? {
              text: formatFlows(point.flows ?? 0, currency, formatCompactMoney)!,
              isOmittedIfNarrow: index !== namedFlows[0],
            }
          : undefined,
      }))}
      pageStep={7}
      describePoint={(index) => {
        const { date, total } = points[index]!;
        const parts = [formatMoney(total, currency), describeFlows(index), index > 0 && describeGain(index)];
        return `${formatCalendarDay(date)}: ${parts.filter(Boolean).join(', ')}`;
      }}
      renderDetails={(index) => {
        const { date, total, excluded } = points[index]!;
        const flows = describeFlows(index);
        return (
          <>
            <p>{formatCalendarDay(date)}</p>
            <p className="font-semibold text-ink">{formatMoney(total, currency)}</p>
            {index > 0 && <p className={getTrendClass(computeGainSince(points, index))}>{describeGain(index)}</p>}
            {flows !== undefined && <p className="first-letter:uppercase">{flows}</p>}
            {excluded && <p>{`Not included (no rate): ${excluded.join(', ')}`}</p>}
          </>
        );
      }}
      formatValue={(value) => formatCompactMoney(value, currency)}
      hidden={hidden}
      className={`text-accent ${className}`}
    />
  );
}
