import type { ServiceSql } from '../../../platform/database/roles.ts';
import type { ReportDate } from '../../domain/market-data-provider.ts';

/** A cached report. Its symbol is the key of the row. */
type CachedReport = Omit<ReportDate, 'symbol'>;

/** Reports of a company from a provider or the simulator (`sample`). */
export interface FetchedReports {
  symbol: string;
  reports: CachedReport[];
  sample: boolean;
  fetched_at: Date;
}

/** Requested in the last twelve hours. If a provider is configured (not $2), a sample result does not count. */
const RECENT_CONDITION = `(c.fetched_at > now() - interval '12 hours' and ($2 or not c.sample))`;

/** No call is needed: the simulator never replaces the result of a provider, however old. */
const SETTLED_CONDITION = `(${RECENT_CONDITION} or $2 and not c.sample)`;

/**
 * Returns reports of these symbols that were fetched in the last twelve hours. `sample` is true if the simulator is the
 * provider.
 */
export function listFetchedReports(
  sql: ServiceSql,
  symbols: readonly string[],
  sample: boolean,
): Promise<FetchedReports[]> {
  return sql.query(
    `select c.symbol, c.reports, c.sample, c.fetched_at from market.earnings_cache c
      where c.symbol = any($1::text[]) and ${RECENT_CONDITION}`,
    [symbols, sample],
  );
}

/**
 * Stores fetched reports, including empty results. Symbols outside the catalog are skipped. Sample reports never
 * replace those of a provider.
 */
export async function storeReports(
  sql: ServiceSql,
  results: readonly { symbol: string; reports: CachedReport[] }[],
  sample: boolean,
): Promise<void> {
  await sql.query(
    `insert into market.earnings_cache as c (symbol, reports, fetched_at, sample)
     select a.symbol, a.reports, now(), $2 from jsonb_to_recordset($1::jsonb) as a (symbol text, reports jsonb)
       join public.tracked_tickers_latest t on t.symbol = a.symbol
      order by a.symbol
     on conflict (symbol) do update set reports = excluded.reports, fetched_at = excluded.fetched_at,
       sample = excluded.sample
      where c.sample or not excluded.sample`,
    [JSON.stringify(results), sample],
  );
}

/**
 * Returns every stock of the catalog that is held, watched or cached. A market-wide scan stores the reports of these.
 */
export async function listStocksInUse(sql: ServiceSql): Promise<string[]> {
  const rows = await sql.query<{ symbol: string }>(
    `with symbols_in_use as materialized (select distinct u.symbol from market.symbols_in_use u)
     select t.symbol from public.tracked_tickers_latest t
      where t.asset_type = 'stock' and (
        exists (select from symbols_in_use u where u.symbol = t.symbol)
        or exists (select from market.earnings_cache c where c.symbol = t.symbol))`,
  );
  return rows.map(({ symbol }) => symbol);
}

/**
 * Returns the stocks among these symbols, since funds, ETFs and bonds do not report. Symbols without a request come
 * first, then the oldest requests. `sample` is true if the simulator is the provider.
 */
export function listReportingStocks(
  sql: ServiceSql,
  symbols: readonly string[],
  sample: boolean,
): Promise<{ symbol: string; settled: boolean }[]> {
  return sql.query(
    `select t.symbol, coalesce(${SETTLED_CONDITION}, false) as settled
       from public.tracked_tickers_latest t left join market.earnings_cache c using (symbol)
      where t.symbol = any($1::text[]) and t.asset_type = 'stock' order by c.fetched_at nulls first, t.symbol`,
    [symbols, sample],
  );
}

/** Returns the stocks among these symbols whose reports must be fetched. */
export async function listMissingReports(
  sql: ServiceSql,
  symbols: readonly string[],
  sample: boolean,
): Promise<string[]> {
  const companies = await listReportingStocks(sql, symbols, sample);
  return companies.filter(({ settled }) => !settled).map(({ symbol }) => symbol);
}

/** A security of the catalog and its upcoming reports. */
export interface ReportState {
  symbol: string;
  name: string | null;
  /** Currency of the listing. */
  currency: string | null;
  /** Funds, ETFs and bonds do not report. */
  is_company: boolean;
  /** False if the reports must be fetched. */
  settled: boolean;
  /** Whether the reports were fetched in the last two days. */
  fetched_lately: boolean;
  /** Oldest first. */
  reports: (CachedReport & { sample: boolean })[];
}

/**
 * Returns the securities among these symbols with their reports from a date on, as all screens show them. `sample` is
 * true if the simulator is the provider.
 */
export function listReportStates(
  sql: ServiceSql,
  { symbols, from, sample }: { symbols: readonly string[]; from: string; sample: boolean },
): Promise<ReportState[]> {
  return sql.query(
    `with reports as materialized (
       select u.symbol, json_agg(json_build_object('date', u.date, 'when', u."when", 'eps_estimate', u.eps_estimate,
                'estimated', u.estimated, 'sample', u.sample) order by u.date) as reports
         from market.upcoming_reports($1, $3) u group by u.symbol
     )
     select t.symbol, t.name, t.currency, t.asset_type = 'stock' as is_company, coalesce(${SETTLED_CONDITION}, false) as settled,
            coalesce(c.fetched_at > now() - interval '2 days', false) as fetched_lately,
            coalesce(r.reports, '[]') as reports
       from public.tracked_tickers_latest t left join market.earnings_cache c using (symbol)
       left join reports r using (symbol)
      where t.symbol = any($1::text[])`,
    [symbols, sample, from],
  );
}

/** Groups reports for `storeReports`: one per symbol and date, and an empty list for a symbol without any. */
export function groupBySymbol(
  symbols: readonly string[],
  reports: readonly ReportDate[],
): { symbol: string; reports: CachedReport[] }[] {
  const lists = new Map<string, CachedReport[]>(symbols.map((symbol) => [symbol, []]));
  for (const { symbol, ...report } of reports) {
    const list = lists.get(symbol);
    if (list?.every(({ date }) => date !== report.date)) list.push(report);
  }
  return [...lists].map(([symbol, list]) => ({ symbol, reports: list }));
}

/**
 * Claims the market-wide scan of these providers until it is done or for two minutes. A finished scan is valid for an
 * hour.
 */
export async function claimScan(sql: ServiceSql, sources: string): Promise<'claimed' | 'done' | 'busy'> {
  const [row] = await sql.query<{ claim: 'claimed' | 'done' | 'busy' }>(
    `with claimed as (
       insert into market.earnings_scans as s (sources) values ($1)
       on conflict (sources) do update set claimed_at = now(), done_at = null
        where (s.done_at is null and s.claimed_at < now() - interval '2 minutes')
          or s.done_at < now() - interval '1 hour'
       returning 1
     )
     select case when exists (select from claimed) then 'claimed'
                 -- A concurrent claim still shows the old row, so check that its scan is recent.
                 when exists (select from market.earnings_scans
                   where sources = $1 and done_at >= now() - interval '1 hour') then 'done' else 'busy' end as claim`,
    [sources],
  );
  return row!.claim;
}

export async function finishScan(sql: ServiceSql, sources: string): Promise<void> {
  await sql.query('update market.earnings_scans set done_at = now() where sources = $1', [sources]);
}

/** Releases the claim, so that the next attempt need not wait for its expiry. */
export async function releaseScan(sql: ServiceSql, sources: string): Promise<void> {
  await sql.query('delete from market.earnings_scans where sources = $1 and done_at is null', [sources]);
}

/**
 * Returns the reports of these symbols from a date on, as all screens show them. For each symbol reads either the table
 * of the external job or the cache, whichever was fetched later.
 */
export function readReports(
  sql: ServiceSql,
  symbols: readonly string[],
  from: string,
): Promise<(ReportDate & { sample: boolean })[]> {
  return sql.query(
    `select u.symbol, u.date::text as date, u."when", u.eps_estimate, u.estimated, u.sample
       from market.upcoming_reports($1, $2) u`,
    [symbols, from],
  );
}

/** Returns the first report of each symbol that `readReports` would return. */
export function readNextReports(
  sql: ServiceSql,
  symbols: readonly string[],
  from: string,
): Promise<Pick<ReportDate, 'symbol' | 'date' | 'when'>[]> {
  return sql.query(
    `select distinct on (u.symbol) u.symbol, u.date::text as date, u."when"
       from market.upcoming_reports($1, $2) u order by u.symbol, u.date`,
    [symbols, from],
  );
}
