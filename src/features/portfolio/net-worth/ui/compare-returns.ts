import type { NetWorthPoint } from './net-worth-history.ts';

/** Date of a market day and its close, adjusted for splits. */
type Close = readonly [date: string, close: number];

interface ReturnPoint {
  date: string;
  /** Return since the first point in percent. */
  value: number;
}

/** Both sides on the same days, from the first one that has a close. */
interface ComparedReturns {
  netWorth: ReturnPoint[];
  fund: ReturnPoint[];
}

export type Comparison = ({ ok: true } & ComparedReturns) | { ok: false; reason: 'no_closes' | 'not_positive' };

/**
 * Compares the time-weighted return of net worth with the price return of a fund.
 * @param points Every day of the period, oldest first.
 * @param shownDates Days of the chart. The others count for the return alone.
 * @param closes Closes of the fund, oldest first.
 * @param price Current price of the fund, for the last point, which is the current net worth.
 */
export function compareReturns(
  points: readonly NetWorthPoint[],
  shownDates: ReadonlySet<string>,
  closes: readonly Close[],
  price: number | null,
): Comparison {
  const findClose = (date: string): number | undefined => closes.findLast(([day]) => day <= date)?.[1];
  const start = points.findIndex(({ date }) => findClose(date) !== undefined);
  const comparedPoints = start === -1 ? [] : points.slice(start);
  if (comparedPoints.length < 2) return { ok: false, reason: 'no_closes' };
  const netWorth = computeReturns(comparedPoints);
  if (!netWorth) return { ok: false, reason: 'not_positive' };
  const firstClose = findClose(comparedPoints[0]!.date)!;
  const fund = comparedPoints.map(({ date }, index) => {
    const isLast = index === comparedPoints.length - 1;
    const close = isLast && price !== null ? price : findClose(date)!;
    return { date, value: (close / firstClose - 1) * 100 };
  });
  const isShown = ({ date }: ReturnPoint, index: number): boolean => index === 0 || shownDates.has(date);
  return { ok: true, netWorth: netWorth.filter(isShown), fund: fund.filter(isShown) };
}

/**
 * Returns the time-weighted return at each point, with deposits at the start of a step and withdrawals at its end, as in the API's figures. Null if there
 * was a step with a gain or loss, but without a positive value.
 */
function computeReturns(points: readonly NetWorthPoint[]): ReturnPoint[] | null {
  let growth = 1;
  const returns: ReturnPoint[] = [];
  for (const [index, { date, total, flows = 0 }] of points.entries()) {
    const previous = points[index - 1];
    if (previous) {
      const gain = total - previous.total - flows;
      const invested = previous.total + Math.max(0, flows);
      // Sums of amounts with four decimals have smaller differences than the last decimal.
      if (Math.abs(gain) >= 0.00005) {
        if (invested <= 0) return null;
        growth *= 1 + gain / invested;
      }
    }
    returns.push({ date, value: (growth - 1) * 100 });
  }
  return returns;
}
