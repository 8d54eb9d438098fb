import { addDays, DAY_MS, toIsoDate, isInRange } from '../../market-data/domain/dates.ts';
import { marketCalendar } from '../../market-data/domain/market-calendar.ts';
import type { DateRange, ReportDate } from '../../market-data/domain/market-data-provider.ts';
import { hashText, drawUniform } from './seeded-random.ts';
import { edgeCases } from './listings.ts';

/**
 * Returns the quarterly reports of a company in a range, ascending. Dates more than three weeks ahead are estimates.
 */
export function generateReports(symbol: string, range: DateRange, today: string): ReportDate[] {
  const seed = hashText(symbol);
  const dates = getFixedDates(symbol, today) ?? getQuarterDates(seed, range);
  return dates.filter(isInRange(range)).map(({ date, when }) => ({
    symbol,
    date,
    when: when ?? (drawUniform(seed, 2) < 0.45 ? 'bmo' : 'amc'),
    eps_estimate:
      Math.round(100 * (0.2 + 3 * drawUniform(seed, 3) + 0.2 * drawUniform(seed, 4, Date.parse(date) / DAY_MS))) / 100,
    estimated: (Date.parse(date) - Date.parse(today)) / DAY_MS > 21,
  }));
}

interface ReportDay {
  date: string;
  when?: 'bmo' | 'amc';
}

function getFixedDates(symbol: string, today: string): ReportDay[] | undefined {
  const rule = edgeCases.reportsIn.get(symbol);
  if (!rule) return undefined;
  const days = marketCalendar.isMarketDay(today) ? rule.days : Math.max(0, rule.days - 1);
  const next = marketCalendar.addMarketDays(today, days);
  return [
    { date: next, when: rule.when },
    { date: marketCalendar.addMarketDays(next, 63), when: rule.when },
  ];
}

/** Cached by quarter and delay, because all listings share a few combinations. */
const reportDayByKey = new Map<number, string>();

/** Returns the market day that is `delayDays` days after the end of a quarter. */
function getReportDay(year: number, quarter: number, delayDays: number): string {
  const key = (4 * year + quarter) * 100 + delayDays;
  let day = reportDayByKey.get(key);
  if (day === undefined) {
    day = marketCalendar.addMarketDays(addDays(toIsoDate(Date.UTC(year, 3 * quarter + 3, 0)), delayDays), 0);
    reportDayByKey.set(key, day);
  }
  return day;
}

/** Returns report dates two to seven weeks after the end of each quarter, always on a market day. */
function getQuarterDates(seed: number, range: DateRange): ReportDay[] {
  const dates: ReportDay[] = [];
  const delayDays = 14 + Math.floor(32 * drawUniform(seed, 5));
  for (let year = Number(range.from.slice(0, 4)) - 1; year <= Number(range.to.slice(0, 4)); year += 1) {
    for (let quarter = 0; quarter < 4; quarter += 1) dates.push({ date: getReportDay(year, quarter, delayDays) });
  }
  return dates;
}
