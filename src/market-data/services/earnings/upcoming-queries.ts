import type { ServiceSql } from '../../../platform/database/roles.ts';
import type { DateRange, ReportDate } from '../../domain/market-data-provider.ts';
import type { FetchedReports } from './report-queries.ts';

interface ReportRow extends ReportDate {
  name: string | null;
  /** True for a report of the simulator. */
  sample: boolean;
}

/** Returns reports of these symbols in the range, as all screens show them, with company names. */
export function listReports(sql: ServiceSql, symbols: readonly string[], range: DateRange): Promise<ReportRow[]> {
  return sql.query<ReportRow>(
    `select u.symbol, t.name, u.date::text as date, u."when", u.eps_estimate, u.estimated, u.sample
       from market.upcoming_reports($1, $2) u join public.tracked_tickers_latest t on t.symbol = u.symbol
      where u.date <= $3::date`,
    [symbols, range.from, range.to],
  );
}

/** Returns names of the companies among the symbols. Funds, ETFs and bonds do not report. */
export async function findCompanyNames(
  sql: ServiceSql,
  symbols: readonly string[],
): Promise<Map<string, string | null>> {
  const rows = await sql.query<{ symbol: string; name: string | null }>(
    `select t.symbol, t.name from public.tracked_tickers_latest t
     where t.symbol = any ($1::text[]) and t.asset_type = 'stock'`,
    [symbols],
  );
  return new Map(rows.map(({ symbol, name }) => [symbol, name]));
}

/**
 * Returns whether a report may be missing: a company has none in the range and was not requested for two days, since
 * the daily job may be late.
 */
export async function hasMissingReports(
  sql: ServiceSql,
  symbols: readonly string[],
  range: DateRange,
): Promise<boolean> {
  const [row] = await sql.query<{ is_missing: boolean }>(
    `select exists (
       select from public.tracked_tickers_latest t
        where t.symbol = any ($1::text[]) and t.asset_type = 'stock'
          and not exists (select from market.upcoming_reports($1, $2) u
            where u.symbol = t.symbol and u.date <= $3::date)
          and not exists (select from market.earnings_cache c
            where c.symbol = t.symbol and c.fetched_at > now() - interval '2 days')
     ) as is_missing`,
    [symbols, range.from, range.to],
  );
  return row!.is_missing;
}

/**
 * Writes fetched reports of companies in the range and deletes their other dates there. Otherwise a postponed report
 * would appear twice. Sample reports never change a company that has a real report in the range.
 */
export async function writeReports(
  sql: ServiceSql,
  fetched: readonly FetchedReports[],
  range: DateRange,
): Promise<void> {
  await sql.query(
    `with fetched as (
       select a.* from jsonb_to_recordset($1::jsonb)
         as a (symbol text, reports jsonb, sample boolean, fetched_at timestamptz)
        where not a.sample
           or not exists (select from public.earnings e
             where e.symbol = a.symbol and e.date between $2::date and $3::date and not e.sample)
     ), current_reports as (
       select distinct on (a.symbol, r.date) a.symbol, r.*, a.sample, a.fetched_at
         from fetched a, jsonb_to_recordset(a.reports)
           as r (date date, "when" text, eps_estimate double precision, estimated boolean)
        where r.date between $2::date and $3::date order by a.symbol, r.date
     ), removed as (
       delete from public.earnings e using fetched a
        where e.symbol = a.symbol and e.date between $2::date and $3::date
          and not exists (select from current_reports f where f.symbol = e.symbol and f.date = e.date)
     )
     insert into public.earnings (symbol, date, "when", eps_estimate, estimated, sample, updated_at)
     select f.symbol, f.date, f."when", f.eps_estimate, f.estimated, f.sample, f.fetched_at
       from current_reports f order by f.symbol, f.date
     on conflict (symbol, date) do update
       set "when" = excluded."when", eps_estimate = excluded.eps_estimate, estimated = excluded.estimated,
         sample = excluded.sample, updated_at = excluded.updated_at`,
    [JSON.stringify(fetched), range.from, range.to],
  );
}
