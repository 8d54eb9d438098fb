import type { ServiceSql } from '../../../platform/database/roles.ts';
import { TRADES_ON_NEW_YORK_DAYS } from '../shared/exchange-days.ts';
import type { AssetType } from '../../domain/market-data-provider.ts';
import { deleteHistoryCtes, CLEAR_PRICE_ASSIGNMENTS, ACTIVE_SYMBOLS_CTE } from '../shared/sql-fragments.ts';
import { type ListedUnit, UNITS_COLUMN } from './unit-queries.ts';

/** Stored state of a listing, needed to validate its next quote. */
export interface StoredPrice extends ListedUnit {
  asset_type: AssetType;
  current_price: number | null;
  market_cap: number | null;
  source: string;
  /** The newest stored close. */
  last_close: number | null;
  /** The newest three closes with their dates, in order. Missing ones are null. */
  closes: readonly ([date: string, close: number] | null)[];
  /** True if the listing trades on New York's market days. */
  new_york_days: boolean;
}

/** An accepted quote, in the currency that the listing had at validation. */
export interface PriceRow extends Pick<ListedUnit, 'symbol' | 'currency' | 'declared_unit'> {
  current_price: number;
  change_1d: number | null;
  change_amount: number | null;
  prev_close: number | null;
  open: number | null;
  day_low: number | null;
  day_high: number | null;
  volume: number | null;
  market_cap: number | null;
  price_at: string;
  delayed_minutes: number;
  source: string;
}

const STORED_PRICE_QUERY = `select t.symbol, t.asset_type, t.currency, t.declared_unit, ${UNITS_COLUMN}, t.current_price,
  t.market_cap, t.source,
       (r.closes -> -1 ->> 1)::float8 as last_close,
         json_build_array(r.closes -> -3, r.closes -> -2, r.closes -> -1) as closes,
           ${TRADES_ON_NEW_YORK_DAYS} as new_york_days
  from public.tracked_tickers_latest t left join market.recent_closes r using (ticker_id)`;

export function listStoredPrices(sql: ServiceSql, symbols: readonly string[]): Promise<StoredPrice[]> {
  return sql.query<StoredPrice>(`${STORED_PRICE_QUERY} where t.symbol = any($1::text[])`, [symbols]);
}

interface RefreshScope {
  /** Maximum number of listings that are not in use. */
  maxExtraListings: number;
  /** Orders funds and bonds before traded listings. */
  fundsFirst?: boolean;
  /** Selects only listings without a response of a provider since this time. */
  since?: string | undefined;
}

/**
 * Returns listings in use (held, watched or popular), and up to `maxExtraListings` others. Within a kind, those with
 * the oldest call come first, whatever its result. Even a small quota reaches each listing in turn.
 */
export function listPricesToRefresh(
  sql: ServiceSql,
  popular: readonly string[],
  { maxExtraListings, fundsFirst = false, since }: RefreshScope,
): Promise<StoredPrice[]> {
  return sql.query<StoredPrice>(
    `with ${ACTIVE_SYMBOLS_CTE}, extra as (
       select o.symbol from public.tracked_tickers_latest o left join market.quote_checks n using (ticker_id)
        where $2 > 0 and not exists (select from active_symbols w where w.symbol = o.symbol)
        order by n.requested_at nulls first limit $2
     )
     ${STORED_PRICE_QUERY} left join market.quote_checks n using (ticker_id)
      where t.symbol in (select symbol from active_symbols union all select symbol from extra)
        and ($4::timestamptz is null or n.responded_at is null or n.responded_at < $4)
      order by (t.asset_type in ('stock', 'etf')) <> $3 desc, n.requested_at nulls first, t.symbol`,
    [popular, maxExtraListings, fundsFirst, since],
  );
}

/**
 * CTEs that delete sample data beside the price. They use CTEs of the same statement. `samples` (ticker_id, symbol)
 * selects listings, and `covered` (symbol) selects sample reports. The price of a `covered` listing may be real although
 * its reports came from the simulator.
 */
const DELETE_SAMPLE_TRACES = `${deleteHistoryCtes('samples')}, reports as (
       delete from market.earnings_cache e using covered s where e.symbol = s.symbol and e.sample
     ), earnings_rows as (
       delete from public.earnings e using covered s where e.symbol = s.symbol and e.sample
     ), cached_news as (
       delete from market.news_cache where exists (select from samples)
     ), sample_fundamentals as (
       delete from market.fundamentals f using covered s where f.symbol = s.symbol and f.sample
     )`;

/**
 * Writes a batch of prices in one statement. An older price never replaces a newer one, and a sample price never
 * replaces a real one. A price is skipped if the currency or unit of the listing has changed since validation. If a
 * real price replaces a sample, the sample history is deleted too. Returns the written symbols. `lacks_history` means
 * that the year must be fetched now, `is_newer` that the price is later than the one before, and not the same again.
 */
export function writePrices(
  sql: ServiceSql,
  prices: readonly PriceRow[],
): Promise<{ symbol: string; lacks_history: boolean; is_newer: boolean }[]> {
  return sql.query(
    `with incoming as (
       select * from jsonb_to_recordset($1::jsonb) as q (symbol text, currency text, declared_unit text,
         current_price float8, change_1d float8,
         change_amount float8, prev_close float8, open float8, day_low float8, day_high float8, volume bigint,
           market_cap float8, price_at timestamptz, delayed_minutes int, source text)
     ), locked as (
       -- Lock in a fixed order to prevent deadlocks between writers.
       -- "For update" would also block inserts that reference a ticker, such as those of an import.
       select t.symbol, t.ticker_id, t.price_at as previous_price_at, t.source = 'simulator' and t.price_at is not null
         and i.source <> 'simulator' as was_sample
         from public.tracked_tickers_latest t join incoming i using (symbol)
        where t.currency is not distinct from i.currency and t.declared_unit is not distinct from i.declared_unit
        order by t.symbol for no key update of t
     ), samples as (
       select ticker_id, symbol from locked where was_sample
     ), covered as (
       select symbol from incoming where source <> 'simulator'
     ), ${DELETE_SAMPLE_TRACES}
     update public.tracked_tickers_latest t
        set current_price = i.current_price, change_1d = i.change_1d, change_amount = i.change_amount,
          prev_close = i.prev_close, open = i.open,
            day_low = i.day_low, day_high = i.day_high, volume = i.volume,
              market_cap = coalesce(i.market_cap, case when not locked.was_sample then t.market_cap end),
            price_at = i.price_at, delayed_minutes = i.delayed_minutes, source = i.source, quarantined_at = null,
              quarantine_reason = null
       from incoming i join locked using (symbol)
      where t.symbol = i.symbol
        and (t.price_at is null or (t.price_at <= i.price_at and (t.source = 'simulator' or i.source <> 'simulator'))
          or (t.source = 'simulator' and i.source <> 'simulator'))
     returning t.symbol, locked.was_sample and t.asset_type in ('stock', 'etf') as lacks_history,
       locked.previous_price_at is null or locked.previous_price_at < t.price_at as is_newer`,
    [JSON.stringify(prices)],
  );
}

/** Records the time of the call, which orders the next ones, and the time of a response (with or without a price). */
export async function recordQuoteRequests(
  sql: ServiceSql,
  { requested, answered }: { requested: readonly string[]; answered: readonly string[] },
  at: Date,
): Promise<void> {
  await sql.query(
    `insert into market.quote_checks as n (ticker_id, requested_at, responded_at)
     select ticker_id, $3::timestamptz, case when symbol = any($2::text[]) then $3::timestamptz end
       from public.tracked_tickers_latest where symbol = any($1::text[]) order by ticker_id
     on conflict (ticker_id) do update set requested_at = excluded.requested_at,
       responded_at = coalesce(excluded.responded_at, n.responded_at)`,
    [requested, answered, at],
  );
}

/** Returns whether a listing was checked for a split in the last 20 hours. */
export async function wasSplitChecked(sql: ServiceSql, symbol: string): Promise<boolean> {
  const rows = await sql.query(
    `select from market.quote_checks n join public.tracked_tickers_latest t using (ticker_id)
     where t.symbol = $1 and n.split_checked_at > now() - interval '20 hours'`,
    [symbol],
  );
  return rows.length > 0;
}

/** Returns the adjusted close of this last day before a split, if a check found one that the history still lacks. */
export async function findPendingSplit(sql: ServiceSql, symbol: string, lastDay: string): Promise<number | null> {
  const [row] = await sql.query<{ close: number | null }>(
    `select n.pending_split_close as close from market.quote_checks n join public.tracked_tickers_latest t using (ticker_id)
      where t.symbol = $1 and n.pending_split_date = $2::date`,
    [symbol, lastDay],
  );
  return row?.close ?? null;
}

/**
 * Records a check for a split. If a split was found, also records the adjusted close of the last day before it, and has
 * the dividends per share fetched again.
 */
export async function recordSplitCheck(
  sql: ServiceSql,
  symbol: string,
  split?: { day: string; adjustedClose: number | null },
): Promise<void> {
  await sql.query(
    `insert into market.quote_checks as n (ticker_id, split_checked_at, pending_split_date, pending_split_close)
     select ticker_id, now(), $2::date, $3 from public.tracked_tickers_latest where symbol = $1
     on conflict (ticker_id) do update
       set split_checked_at = excluded.split_checked_at, pending_split_date = coalesce(excluded.pending_split_date, n.pending_split_date),
         pending_split_close = coalesce(excluded.pending_split_close, n.pending_split_close)`,
    [symbol, split?.day, split?.adjustedClose],
  );
  if (split) await sql.query(`update market.dividends set fetched_at = 'epoch' where symbol = $1`, [symbol]);
}

/** Keeps the old prices and records why the new ones are quarantined. The time of the first quarantine stays. */
export async function quarantinePrices(
  sql: ServiceSql,
  quarantined: readonly { symbol: string; reason: string }[],
): Promise<void> {
  await sql.query(
    `with quarantined as (
       select t.symbol, q.reason from public.tracked_tickers_latest t
         join jsonb_to_recordset($1::jsonb) as q (symbol text, reason text) using (symbol)
        order by t.symbol for no key update of t
     )
     update public.tracked_tickers_latest t
       set quarantined_at = coalesce(t.quarantined_at, now()), quarantine_reason = r.reason
       from quarantined r where t.symbol = r.symbol`,
    [JSON.stringify(quarantined)],
  );
}

/** Deletes sample prices, closes and reports of all symbols or one, once a provider is configured. Real data stays. */
export async function deleteSampleData(sql: ServiceSql, symbol: string): Promise<number> {
  const [row] = await sql.query<{ dropped: number }>(
    `with locked as (
       -- Lock in the order of writePrices.
       select ticker_id from public.tracked_tickers_latest
        where source = 'simulator' and price_at is not null and ($1 = 'all' or symbol = $1) order by symbol
          for no key update
     ), samples as (
       update public.tracked_tickers_latest t set ${CLEAR_PRICE_ASSIGNMENTS} from locked l where t.ticker_id = l.ticker_id
         returning t.ticker_id, t.symbol
     ), covered as (
       select symbol from public.tracked_tickers_latest where $1 = 'all' or symbol = $1
     ), recorded as (
       insert into market.quote_checks (ticker_id, sample_dropped_at) select ticker_id, now() from samples
         order by ticker_id
       on conflict (ticker_id) do update set sample_dropped_at = excluded.sample_dropped_at
     ), ${DELETE_SAMPLE_TRACES}
     select count(*)::int as dropped from samples`,
    [symbol],
  );
  return row!.dropped;
}

/** Returns whether a listing in use has no price, or one from before a time. */
export async function hasOutdatedPrices(sql: ServiceSql, popular: readonly string[], since: Date): Promise<boolean> {
  const rows = await sql.query(
    `with ${ACTIVE_SYMBOLS_CTE}
     select t.symbol from public.tracked_tickers_latest t join active_symbols using (symbol)
      where t.price_at is null or t.price_at < $2 limit 1`,
    [popular, since],
  );
  return rows.length > 0;
}

/** Returns the seconds since a provider last responded to a price request, or undefined if none ever did. */
export async function getSecondsSinceLastPrices(sql: ServiceSql): Promise<number | undefined> {
  const [row] = await sql.query<{ seconds: number | null }>(
    'select extract(epoch from now() - max(responded_at))::float8 as seconds from market.quote_checks',
  );
  return row?.seconds ?? undefined;
}

/** Returns the number of listings with a quarantined price. */
export async function countQuarantinedPrices(sql: ServiceSql): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    'select count(*)::int as count from public.tracked_tickers_latest where quarantined_at is not null',
  );
  return row?.count ?? 0;
}
