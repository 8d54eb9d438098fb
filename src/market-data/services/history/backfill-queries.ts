import type { ServiceSql } from '../../../platform/database/roles.ts';
import { type ListedUnit, UNITS_COLUMN } from '../prices/unit-queries.ts';
import { TRADES_ON_NEW_YORK_DAYS } from '../shared/exchange-days.ts';
import { ACTIVE_SYMBOLS_CTE } from '../shared/sql-fragments.ts';

/** True if the year of listing `t` was fetched, or found to be absent, in the last 20 hours. */
const RECENTLY_FETCHED_CONDITION = `exists (select from market.backfills b
          where b.ticker_id = t.ticker_id and b.done_at > now() - interval '20 hours')`;

/** Days up to which closes should exist, YYYY-MM-DD. */
interface DueCloseDays {
  /**
   * Last few market days in order, for US listings. The evening's prices create the later closes, even if these are
   * missing.
   */
  closeDays: readonly string[];
  /** Last day for all other listings, whose closes come only from a history. */
  historyUntil: string;
  /** Older splits (by the last day before the split) are no longer awaited. */
  splitsFrom: string;
}

/** Finds symbols whose one-year history needs a backfill, at most once in 20 hours. `again` requests a fresh copy. */
export function findHistoriesToBackfill(
  sql: ServiceSql,
  popular: readonly string[],
  { closeDays, historyUntil, splitsFrom }: DueCloseDays,
): Promise<{ symbol: string; force: boolean }[]> {
  return sql.query(
    `with ${ACTIVE_SYMBOLS_CTE}, listings as (
       select t.ticker_id, t.symbol, ${TRADES_ON_NEW_YORK_DAYS} as new_york_days, r.closes_to,
         (r.closes -> 0 ->> 0)::date as closes_from, coalesce(n.pending_split_date >= $4::date, false) as awaits_split
         from public.tracked_tickers_latest t join active_symbols using (symbol)
           left join market.recent_closes r using (ticker_id) left join market.quote_checks n using (ticker_id)
        where t.asset_type in ('stock', 'etf') and not ${RECENTLY_FETCHED_CONDITION}
     ), missing_history as (
       select ticker_id from listings where closes_to is null
     ), pending_split as (
       -- The history is not yet adjusted for a split.
       select ticker_id from listings where awaits_split
     ), missing_day as (
       -- A later close from evening prices hides the gap. Citus 13.2 crashes on nested "exists" here.
       select l.ticker_id from listings l join unnest($2::date[]) as due (d) on due.d > l.closes_from
         left join public.tracked_tickers_historical h on h.ticker_id = l.ticker_id and h.d = due.d
        where l.new_york_days and h.ticker_id is null
     ), ends_early as (
       select ticker_id from listings where not new_york_days and closes_to < $3::date
     )
     select symbol, awaits_split as force from listings
      where ticker_id in (select ticker_id from missing_history union all select ticker_id from pending_split
        union all select ticker_id from missing_day union all select ticker_id from ends_early)
      order by symbol`,
    [popular, closeDays, historyUntil, splitsFrom],
  );
}

interface CompletenessCriteria {
  /** Minimum number of candles in the last year. */
  minCandles: number;
  /** Day (YYYY-MM-DD) that closes must reach. */
  closesUntil: string;
  /** A price older than this is stale. */
  pricedSince: Date;
}

/**
 * Returns the missing data of listings, by symbol as in the order of locks. `incomplete`: fewer than `minCandles` candles
 * or none since `closesUntil`, and not fetched in 20 hours. `outdated`: no price since `pricedSince`, and no response of
 * a provider within the hour.
 */
export function findMissingData(
  sql: ServiceSql,
  symbols: readonly string[],
  { minCandles, closesUntil, pricedSince }: CompletenessCriteria,
): Promise<{ symbol: string; incomplete: boolean; outdated: boolean }[]> {
  return sql.query(
    `with listings as (
       select ticker_id, symbol, asset_type, price_at from public.tracked_tickers_latest
        where symbol = any($1::text[])
     ), incomplete as (
       select t.ticker_id from listings t
        where t.asset_type in ('stock', 'etf') and not ${RECENTLY_FETCHED_CONDITION}
          and ((select count(*) from public.tracked_tickers_historical h
              where h.ticker_id = t.ticker_id and h.d > current_date - 366) < $2
            or not exists (select from market.recent_closes r
              where r.ticker_id = t.ticker_id and r.closes_to >= $4::date))
     ), outdated as (
       select t.ticker_id from listings t
        where (t.price_at is null or t.price_at < $3)
          and not exists (select from market.quote_checks n
            where n.ticker_id = t.ticker_id and n.responded_at > now() - interval '1 hour')
     )
     select l.symbol, incomplete.ticker_id is not null as incomplete, outdated.ticker_id is not null as outdated
       from listings l left join incomplete using (ticker_id) left join outdated using (ticker_id)
      where incomplete.ticker_id is not null or outdated.ticker_id is not null order by l.symbol`,
    [symbols, minCandles, pricedSince, closesUntil],
  );
}

/** A listing with the currency and unit of its figures. */
export type Listed = Pick<BackfillTarget, 'ticker_id' | 'currency' | 'declared_unit'>;

/** A listing that may be backfilled. */
export interface BackfillTarget extends ListedUnit {
  ticker_id: number;
  current_price: number | null;
  source: string;
  /** True if the listing trades on New York's market days. */
  new_york_days: boolean;
}

export type BackfillClaim =
  | { status: 'claimed'; target: BackfillTarget }
  | { status: 'claimed-by-other' }
  /** Fetched recently, or a kind of listing without a history. */
  | { status: 'not-due' };

/**
 * Claims the fetch of a symbol's year until it is done or for two minutes. A finished fetch is valid for 20 hours, or
 * for a minute if `force` requests a fresh copy.
 */
export async function claimBackfill(sql: ServiceSql, symbol: string, force: boolean): Promise<BackfillClaim> {
  const [target] = await sql.query<BackfillTarget>(
    `with claimed as (
       insert into market.backfills as b (ticker_id)
       select t.ticker_id from public.tracked_tickers_latest t where t.symbol = $1 and t.asset_type in ('stock', 'etf')
       on conflict (ticker_id) do update set claimed_at = now(), done_at = null
        where (b.done_at is null and b.claimed_at < now() - interval '2 minutes')
           or b.done_at < now() - case when $2 then interval '1 minute' else interval '20 hours' end
       returning b.ticker_id
     )
     select t.ticker_id, t.symbol, t.currency, t.declared_unit, ${UNITS_COLUMN}, t.current_price, t.source,
       ${TRADES_ON_NEW_YORK_DAYS} as new_york_days
       from public.tracked_tickers_latest t join claimed using (ticker_id)`,
    [symbol, force],
  );
  if (target) return { status: 'claimed', target };
  const [otherClaim] = await sql.query(
    `select from market.backfills b join public.tracked_tickers_latest t using (ticker_id)
     where t.symbol = $1 and b.done_at is null`,
    [symbol],
  );
  return { status: otherClaim ? 'claimed-by-other' : 'not-due' };
}

export async function finishBackfill(sql: ServiceSql, tickerId: number): Promise<void> {
  await sql.query('update market.backfills set done_at = now() where ticker_id = $1', [tickerId]);
}

/** Releases the claim, so that the next attempt need not wait for its expiry. */
export async function releaseBackfill(sql: ServiceSql, tickerId: number): Promise<void> {
  await sql.query('delete from market.backfills where ticker_id = $1 and done_at is null', [tickerId]);
}
