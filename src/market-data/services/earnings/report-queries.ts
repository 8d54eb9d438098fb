import type { ServiceSql } from '../../../platform/database/roles.ts';
import type { ReportDate } from '../../domain/market-data-provider.ts';

/** A report as the cache keeps it: the symbol is the row's key. */
type CachedReport = Omit<ReportDate, 'symbol'>;

/** What a provider, or the simulator (`sample`), said of a company. */
export interface FetchedReports {
  symbol: string;
  reports: CachedReport[];
  sample: boolean;
  fetched_at: Date;
}

/** Asked for in the last twelve hours. To a provider (not $2) a sample answer is none. */
const RECENT_CONDITION = `(c.fetched_at > now() - interval '12 hours' and ($2 or not c.sample))`;

/** No call is needed: the simulator has nothing to add to what a provider has said, however long ago. */
const SETTLED_CONDITION = `(${RECENT_CONDITION} or $2 and not c.sample)`;

/** What was fetched of these symbols in the last twelve hours. `sample`: whether the simulator would be asked. */
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
 * Keeps what was fetched, an empty answer too. Symbols that the catalog does not have are left out. Sample reports
 * never replace what a provider has said, as sample prices replace no real ones.
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

/** Every stock of the catalog that is held, watched or cached already: what a market-wide scan keeps reports of. */
export async function listStocksInUse(sql: ServiceSql): Promise<string[]> {
  const rows = await sql.query<{ symbol: string }>(
    `with used as materialized (select distinct u.symbol from market.symbols_in_use u)
     select t.symbol from public.tracked_tickers_latest t
      where t.asset_type = 'stock' and (
        exists (select from used u where u.symbol = t.symbol)
        or exists (select from market.earnings_cache c where c.symbol = t.symbol))`,
  );
  return rows.map(({ symbol }) => symbol);
}

/**
 * The stocks among these symbols (funds, ETFs and bonds do not report), those never asked for first, then the longest
 * ago. `sample`: whether the simulator would be asked.
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

/** Of the stocks among these symbols those whose reports must be fetched. */
export async function listMissingReports(
  sql: ServiceSql,
  symbols: readonly string[],
  sample: boolean,
): Promise<string[]> {
  const companies = await listReportingStocks(sql, symbols, sample);
  return companies.filter(({ settled }) => !settled).map(({ symbol }) => symbol);
}

/** Reports as `storeReports` takes them: one for a symbol and date; a symbol without any has an empty list. */
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

/** Claims the market-wide scan with these providers until done or for two minutes; done holds for an hour. */
export async function claimScan(sql: ServiceSql, sources: string): Promise<'mine' | 'done' | 'busy'> {
  const [row] = await sql.query<{ claim: 'mine' | 'done' | 'busy' }>(
    `with claimed as (
       insert into market.earnings_scans as l (sources) values ($1)
       on conflict (sources) do update set claimed_at = now(), done_at = null
        where (l.done_at is null and l.claimed_at < now() - interval '2 minutes')
          or l.done_at < now() - interval '1 hour'
       returning 1
     )
     select case when exists (select from claimed) then 'mine'
                 -- Beside another claim of this moment the row is still seen as it was: an old scan is no recent one.
                 when exists (select from market.earnings_scans
                   where sources = $1 and done_at >= now() - interval '1 hour') then 'done' else 'busy' end as claim`,
    [sources],
  );
  return row!.claim;
}

export async function finishScan(sql: ServiceSql, sources: string): Promise<void> {
  await sql.query('update market.earnings_scans set done_at = now() where sources = $1', [sources]);
}

/** Releases the claim, so that the next try need not wait for its end. */
export async function releaseScan(sql: ServiceSql, sources: string): Promise<void> {
  await sql.query('delete from market.earnings_scans where sources = $1 and done_at is null', [sources]);
}

/**
 * The reports of these symbols from a date on that every screen shows: of the table that the external job fills and
 * of the cache, those that were fetched later.
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

/** Each symbol's first report of those that `readReports` reads. */
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
