import { formatCalendarDay, formatSessionDay } from '../../../../ui/shell/market/new-york-time.ts';
import type { BaseNetWorth } from '../contract.ts';
import { getFirstDay, subtractDays } from '../periods.ts';

export interface NetWorthPoint {
  date: string;
  total: number;
  /** Amount added since the point before, negative if withdrawn. */
  flows?: number;
  /** Currencies that are not included on this day, because they have no rate. */
  excluded?: readonly string[];
}

type NetWorthChange = BaseNetWorth['changes'][number];

/** Period of each range of the chart in the API, and its label next to a change. */
export const netWorthRanges = {
  '1W': { period: '1w', name: 'past week' },
  '1M': { period: '1m', name: 'past month' },
  '3M': { period: '3m', name: 'past 3 months' },
  YTD: { period: 'ytd', name: 'this year' },
  '1Y': { period: '1y', name: 'past year' },
  All: { period: 'all', name: 'in total' },
} as const satisfies Record<string, { period: NetWorthChange['period']; name: string }>;
export type NetWorthRange = keyof typeof netWorthRanges;

/** Smallest flow that the chart marks, as a share of net worth, so that everyday payments have no mark. */
const MIN_MARKED_SHARE = 0.001;

/** Returns the daily values since a date, with the current value as the last point. `today` is New York's date. */
export function toNetWorthPoints(
  { history, changes, total, excluded }: Pick<BaseNetWorth, 'history' | 'changes' | 'total' | 'excluded'>,
  from: string,
  today: string,
): NetWorthPoint[] {
  const pastDays = history.filter(({ date }) => date >= from && date < today);
  const points = pastDays.map((day): NetWorthPoint => ({
    date: day.date,
    total: day.total,
    ...(day.flows !== undefined && { flows: day.flows }),
    ...(day.excluded && { excluded: day.excluded }),
  }));
  const flowsSince = changes.find((change) => change.from === from)?.flows ?? 0;
  // The flows of the first point are from before the range.
  const earlierFlows = points.slice(1).reduce((sum, point) => sum + (point.flows ?? 0), 0);
  const flowsToday = Number((flowsSince - earlierFlows).toFixed(4));
  return [
    ...points,
    {
      date: today,
      total,
      ...(flowsToday && { flows: flowsToday }),
      ...(excluded.length > 0 && { excluded: excluded.map(({ currency }) => currency) }),
    },
  ];
}

/** Returns whether the chart marks a point's flows. Those of the first point are from before the range. */
export function hasMarkedFlow({ flows = 0, total }: NetWorthPoint, index: number): boolean {
  return index > 0 && flows !== 0 && Math.abs(flows) >= MIN_MARKED_SHARE * Math.abs(total);
}

/** Days in New York, YYYY-MM-DD. */
export interface PeriodDays {
  today: string;
  /** Day of the latest trading session. */
  session: string;
}

/**
 * Returns the label of a change's period: its name, or its first day if the history begins within the period. That of one
 * day is the latest session's, as of the day changes of holdings.
 */
export function getPeriodLabel({ period, from }: Pick<NetWorthChange, 'period' | 'from'>, days: PeriodDays): string {
  const { today, session } = days;
  const since = `since ${formatCalendarDay(from)}`;
  if (period === '1d') return from === subtractDays(session, 1) ? formatSessionDay(session, today) : since;
  const range = Object.values(netWorthRanges).find((candidate) => candidate.period === period)!;
  return period !== 'all' && from === getFirstDay(period, today) ? range.name : since;
}

/** Returns the place of each point from 0 (first) to 1 (last), with days in proportion to time. */
export function placeInTime(points: readonly Pick<NetWorthPoint, 'date'>[]): number[] {
  const times = points.map(({ date }) => Date.parse(date));
  const first = times[0]!;
  const span = times.at(-1)! - first;
  return times.map((time) => (span === 0 ? 0 : (time - first) / span));
}
