import { computeChartScale } from '../../../../ui/kit/chart-scale.ts';
import type { BaseNetWorth } from '../../contract.ts';

export interface NetWorthPoint {
  date: string;
  total: number;
}

/** Number of days of each range of the chart, and its label next to a change. */
export const netWorthRanges = {
  '1M': { days: 31, name: 'past month' },
  '3M': { days: 92, name: 'past three months' },
  '1Y': { days: 366, name: 'past year' },
} as const;
export type NetWorthRange = keyof typeof netWorthRanges;

const DAY_MS = 86_400_000;

/** Returns the daily values of a range, with the current value as the last point. `today` is New York's date. */
export function toNetWorthPoints(
  { history, total }: Pick<BaseNetWorth, 'history' | 'total'>,
  range: NetWorthRange,
  today: string,
): NetWorthPoint[] {
  const firstDate = new Date(Date.parse(`${today}T00:00:00Z`) - netWorthRanges[range].days * DAY_MS)
    .toISOString()
    .slice(0, 10);
  const pastDays = history.filter(({ date }) => date >= firstDate && date < today);
  return [...pastDays.map((day) => ({ date: day.date, total: day.total })), { date: today, total }];
}

/** Returns the change from the first point to the last. The percentage is null unless the first value is positive. */
export function computeNetWorthChange(
  points: readonly NetWorthPoint[],
): { amount: number; percent: number | null } | null {
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last || points.length < 2) return null;
  const amount = last.total - first.total;
  return { amount, percent: first.total > 0 ? (amount / first.total) * 100 : null };
}

interface ChartBox {
  width: number;
  height: number;
  /** Inner margin for the width of the stroke. */
  inset: number;
}

/** Returns round values between the minimum and maximum of all points, with the position of a line at each in a box. */
export function computeGridLines(
  points: readonly NetWorthPoint[],
  { height, inset }: ChartBox,
): { value: number; y: number }[] {
  const totals = points.map(({ total }) => total);
  const low = Math.min(...totals);
  const high = Math.max(...totals);
  return computeChartScale(totals)
    .lines.filter((value) => value >= low && value <= high && high > low)
    .map((value) => ({ value, y: inset + ((high - value) / (high - low)) * (height - 2 * inset) }));
}

/** Returns the position of each point in a box, with days in proportion to time. A flat line is in the middle. */
export function toChartCoordinates(
  points: readonly NetWorthPoint[],
  { width, height, inset }: ChartBox,
): { x: number; y: number }[] {
  const times = points.map(({ date }) => Date.parse(date));
  const totals = points.map(({ total }) => total);
  const from = times[0] ?? 0;
  const to = times.at(-1) ?? 0;
  const low = Math.min(...totals);
  const high = Math.max(...totals);
  return points.map(({ total }, index) => ({
    x: inset + (to === from ? 0.5 : ((times[index] ?? from) - from) / (to - from)) * (width - 2 * inset),
    y: high === low ? height / 2 : inset + ((high - total) / (high - low)) * (height - 2 * inset),
  }));
}
