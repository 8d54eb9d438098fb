import type { ServiceSql } from '../../../platform/database/roles.ts';
import type { MarketCalendar } from '../../domain/market-calendar.ts';
import type { ReportsResult } from './list-reports.ts';
import { listReportStates, type ReportState } from './report-queries.ts';

interface StoredReportsDependencies {
  sql: ServiceSql;
  market: { calendar: Pick<MarketCalendar, 'toNewYorkDate'>; source: string };
  now: () => Date;
}

/** Reads the securities among these symbols with their reports from today in New York on. Never calls a provider. */
export async function readReportStates(
  { sql, market, now }: StoredReportsDependencies,
  symbols: readonly string[],
): Promise<ReportState[]> {
  if (symbols.length === 0) return [];
  return listReportStates(sql, {
    symbols: [...new Set(symbols)],
    from: market.calendar.toNewYorkDate(now()),
    sample: market.source === 'simulator',
  });
}

/** Returns the stored reports of these companies, or undefined if some must be fetched. */
export function getStoredReports(companies: readonly ReportState[]): ReportsResult | undefined {
  if (companies.some(({ settled }) => !settled)) return undefined;
  return {
    reports: companies.flatMap(({ symbol, reports }) => reports.map((report) => ({ ...report, symbol }))),
    complete: true,
  };
}
