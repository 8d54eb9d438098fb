import type { ServiceSql } from '../../../platform/database/roles.ts';
import { MAX_NORMAL_DAILY_RATIO } from '../prices/detect-split.ts';
import type { Candle, DateRange } from '../../domain/market-data-provider.ts';
import type { Listed } from './backfill-queries.ts';

/** Returns CTEs that rebuild `market.recent_closes` from the history of the tickers that `filter` selects. */
export const refreshRecentCloses = (filter: string): string => `
  insert into market.recent_closes as r (ticker_id, closes, closes_to, refreshed_at)
  select t.ticker_id, last.closes, last.closes_to, now()
    from public.tracked_tickers_latest t
    cross join lateral (
      select json_agg(json_build_array(n.d, n.close) order by n.d) as closes, max(n.d) as closes_to
        from (select h.d, h.close from public.tracked_tickers_historical h where h.ticker_id = t.ticker_id
          order by h.d desc limit 30) n
    ) last
   where last.closes_to is not null and ${filter}
  on conflict (ticker_id) do update set closes = excluded.closes, closes_to = excluded.closes_to,
    refreshed_at = excluded.refreshed_at`;

/** Reads daily closes from a date on, oldest first. A year has at most 253 rows, far below the read limit of 1,000. */
export function readDailyCloses(
  sql: ServiceSql,
  tickerId: number,
  from: string,
): Promise<{ date: string; close: number }[]> {
  return sql.query(
    `select d::text as date, close from public.tracked_tickers_historical
     where ticker_id = $1 and d >= $2::date order by d limit 1000`,
    [tickerId, from],
  );
}

/** Daily closes of a symbol, oldest first. Dates are YYYY-MM-DD. */
export interface ClosesOfSymbol {
  symbol: string;
  closes: [date: string, close: number][];
}

/** Reads the daily closes of symbols from a date on. A symbol without any is omitted. */
export function readClosesOfSymbols(
  sql: ServiceSql,
  symbols: readonly string[],
  from: string,
): Promise<ClosesOfSymbol[]> {
  return sql.query(
    `select t.symbol, json_agg(json_build_array(h.d, h.close * coalesce(s.factor, 1)) order by h.d) as closes
       from public.tracked_tickers_latest t
       join public.tracked_tickers_historical h on h.ticker_id = t.ticker_id and h.d >= $2::date
       -- The history lacks a split until it is fetched again.
       left join (
         select n.ticker_id, n.pending_split_date as last_day, n.pending_split_close / before.close as factor
           from market.quote_checks n
           join public.tracked_tickers_historical before
             on before.ticker_id = n.ticker_id and before.d = n.pending_split_date
       ) s on s.ticker_id = t.ticker_id and h.d <= s.last_day
      where t.symbol = any($1::text[]) group by t.symbol`,
    [symbols, from],
  );
}

/** Returns the number of candles of a listing in the range. */
export async function countCandles(sql: ServiceSql, tickerId: number, { from, to }: DateRange): Promise<number> {
  const [row] = await sql.query<{ days: number }>(
    `select count(*)::int as days from public.tracked_tickers_historical
     where ticker_id = $1 and d between $2::date and $3::date`,
    [tickerId, from, to],
  );
  return row?.days ?? 0;
}

/**
 * Stores candles and the recent closes. Newer values replace older ones. With `replace`, deletes the old candles up to
 * the last new day, and a newer day stays. A pending split that the history contains is cleared. Returns false and
 * stores nothing if currency or unit of the listing have changed.
 */
export function writeHistory(
  sql: ServiceSql,
  listed: Listed,
  candles: readonly Candle[],
  replace: boolean,
): Promise<boolean> {
  const { ticker_id: tickerId, currency, declared_unit: unit } = listed;
  return sql.transaction(async (transaction) => {
    // Lock the ticker row first, in the same order as the other writers. This prevents deadlocks and a stale
    // recent_closes row.
    const rows = await transaction.query(
      `select from public.tracked_tickers_latest
        where ticker_id = $1 and currency is not distinct from $2 and declared_unit is not distinct from $3
          for no key update`,
      [tickerId, currency, unit],
    );
    if (rows.length === 0) return false;
    if (replace)
      await transaction.query('delete from public.tracked_tickers_historical where ticker_id = $1 and d <= $2::date', [
        tickerId,
        candles.at(-1)?.date,
      ]);
    await writeCandles(transaction, [{ tickerId, candles }]);
    await transaction.query(refreshRecentCloses('t.ticker_id = $1'), [tickerId]);
    await transaction.query(
      `update market.quote_checks n set pending_split_date = null, pending_split_close = null
         from public.tracked_tickers_historical h
        where n.ticker_id = $1 and h.ticker_id = n.ticker_id and h.d = n.pending_split_date
          and h.close between n.pending_split_close / $2 and n.pending_split_close * $2`,
      [tickerId, MAX_NORMAL_DAILY_RATIO],
    );
    return true;
  });
}

interface History {
  tickerId: number;
  candles: readonly Candle[];
}

/** Stores candles of several tickers at once, for the first run. */
export function writeHistories(sql: ServiceSql, histories: readonly History[]): Promise<void> {
  return sql.transaction(async (transaction) => {
    await writeCandles(transaction, histories);
    await transaction.query(refreshRecentCloses('t.ticker_id = any($1::int[])'), [
      histories.map(({ tickerId }) => tickerId),
    ]);
    await transaction.query(
      `insert into market.backfills (ticker_id, done_at) select id, now() from unnest($1::int[]) as id
       on conflict (ticker_id) do update set done_at = now()`,
      [histories.map(({ tickerId }) => tickerId)],
    );
  });
}

async function writeCandles(sql: ServiceSql, histories: readonly History[]): Promise<void> {
  const rows = histories.flatMap(({ tickerId, candles }) =>
    candles.map((candle) => ({ ticker_id: tickerId, ...candle })),
  );
  await sql.query(
    `insert into public.tracked_tickers_historical (ticker_id, d, close, open, high, low, volume)
     select * from json_to_recordset($1::json)
       as c (ticker_id int, date date, close float8, open real, high real, low real, volume bigint)
     on conflict (ticker_id, d) do update
       set close = excluded.close, open = excluded.open, high = excluded.high, low = excluded.low,
         volume = excluded.volume`,
    [JSON.stringify(rows)],
  );
}
