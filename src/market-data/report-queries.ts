import type { ServiceSql } from '../database/roles.ts';
import type { ReportDate } from './port.ts';

/** A report as the cache keeps it: the symbol is the row's key. */
export type CachedReport = Omit<ReportDate, 'symbol'>;

export interface CachedReports {
  symbol: string;
  reports: CachedReport[];
  fresh: boolean;
}

/** What is cached of these symbols; `fresh` for twelve hours. */
export function cachedReports(sql: ServiceSql, symbols: readonly string[]): Promise<CachedReports[]> {
  return sql.query<CachedReports>(
    `select symbol, reports, fetched_at > now() - interval '12 hours' as fresh from market.earnings_cache where symbol = any($1::text[])`,
    [symbols],
  );
}

/** Keeps what was fetched, an empty answer too. Symbols that the catalog does not have are left out. */
export async function keepReports(sql: ServiceSql, answers: readonly { symbol: string; reports: CachedReport[] }[]): Promise<void> {
  await sql.query(
    `insert into market.earnings_cache (symbol, reports, fetched_at)
     select a.symbol, a.reports, now() from jsonb_to_recordset($1::jsonb) as a (symbol text, reports jsonb)
       join public.tracked_tickers_latest t on t.symbol = a.symbol
      order by a.symbol
     on conflict (symbol) do update set reports = excluded.reports, fetched_at = excluded.fetched_at`,
    [JSON.stringify(answers)],
  );
}

/** Every stock of the catalog that is held, watched or cached already: what one look at the whole market is kept for. */
export async function stocksInUse(sql: ServiceSql): Promise<string[]> {
  const rows = await sql.query<{ symbol: string }>(
    `select t.symbol from public.tracked_tickers_latest t
      where t.asset_type = 'stock' and (
        exists (select from public.watchlist_items w where w.symbol = t.symbol)
        or exists (select from public.manual_public_holdings h where h.symbol = t.symbol)
        or exists (select from market.earnings_cache c where c.symbol = t.symbol))`,
  );
  return rows.map(({ symbol }) => symbol);
}

/** The stocks among these symbols: funds, ETFs and bonds do not report. */
export async function stocksAmong(sql: ServiceSql, symbols: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ symbol: string }>(
    `select symbol from public.tracked_tickers_latest where symbol = any($1::text[]) and asset_type = 'stock' order by symbol`,
    [symbols],
  );
  return rows.map(({ symbol }) => symbol);
}

/** Each symbol's next report from a date on, of the table that the external job fills or of the cache, whichever is sooner. */
export function nextReportsOf(sql: ServiceSql, symbols: readonly string[], from: string): Promise<{ symbol: string; date: string; when: 'bmo' | 'amc' | null }[]> {
  return sql.query(
    `with known as (
       select e.symbol, e.date, e."when", 0 as rank from public.earnings e where e.symbol = any($1::text[]) and e.date >= $2::date
       union all
       select c.symbol, r.date, r."when", 1
         from market.earnings_cache c, jsonb_to_recordset(c.reports) as r (date date, "when" text)
        where c.symbol = any($1::text[]) and r.date >= $2::date
     )
     select distinct on (k.symbol) k.symbol, k.date::text as date, k."when" from known k order by k.symbol, k.date, k.rank`,
    [symbols, from],
  );
}
