import { formatCalendarDay, formatSessionDay } from '../../../../ui/kit/new-york-time.ts';
import { placeInTime } from '../../../../ui/kit/chart-time.ts';
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
  const flowsToday = Number((flowsSince - sumFlows(points.slice(1))).toFixed(4));
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

/** Number of flows that the chart names, and their least distance as a share of its width. */
const MAX_NAMED_FLOWS = 3;
const MIN_NAME_DISTANCE = 0.25;

/** Returns the indexes of the marked flows that the chart names, largest first. Names must not overlap. */
export function listNamedFlows(points: readonly NetWorthPoint[]): number[] {
  const places = placeInTime(points.map(({ date }) => date));
  const largestFirst = points
    .flatMap((point, index) => (hasMarkedFlow(point, index) ? index : []))
    .sort((a, b) => Math.abs(points[b]!.flows ?? 0) - Math.abs(points[a]!.flows ?? 0));
  const named: number[] = [];
  for (const index of largestFirst) {
    const isFree = named.every((other) => Math.abs(places[other]! - places[index]!) >= MIN_NAME_DISTANCE);
    if (isFree && named.length < MAX_NAMED_FLOWS) named.push(index);
  }
  return named;
}

/** Returns the gain from the first point to another one: the change of net worth without flows. */
export function computeGainSince(points: readonly NetWorthPoint[], index: number): number {
  const flows = sumFlows(points.slice(1, index + 1));
  return Number((points[index]!.total - points[0]!.total - flows).toFixed(4));
}

/**
 * Returns the indexes of dates at even distances: where most are a week apart, those between are left out. The first and
 * the last one stay.
 */
function listEvenIndexes(dates: readonly string[]): number[] {
  const times = dates.map((date) => Date.parse(date));
  const gaps = times.slice(1).map((time, index) => time - times[index]!);
  const usualGap = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0;
  let lastTime = -Infinity;
  return times.flatMap((time, index) => {
    if (index < times.length - 1 && time - lastTime < usualGap) return [];
    lastTime = time;
    return index;
  });
}

/** Returns the points at even distances. The flows of those left out are added to the next one. */
export function evenOut(points: readonly NetWorthPoint[]): NetWorthPoint[] {
  const indexes = listEvenIndexes(points.map(({ date }) => date));
  return indexes.map((index, place) => {
    const { flows: _ownFlows, ...value } = points[index]!;
    const since = place === 0 ? 0 : indexes[place - 1]! + 1;
    const flows = sumFlows(points.slice(since, index + 1));
    return flows === 0 ? value : { ...value, flows };
  });
}

const sumFlows = (points: readonly NetWorthPoint[]): number =>
  Number(points.reduce((sum, { flows = 0 }) => sum + flows, 0).toFixed(4));
