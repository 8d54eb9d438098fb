import type { ServiceSql } from '../../../platform/database/roles.ts';
import { keepsNewYorkDays } from '../shared/exchange-days.ts';
import { MAX_NORMAL_DAILY_RATIO } from '../prices/detect-split.ts';
import type { Candle, DateRange } from '../../domain/market-data-provider.ts';
import { wanted } from '../shared/sql-fragments.ts';
import { type ListedUnit, unitsColumn } from '../prices/unit-queries.ts';

/** Makes `market.recent_closes` of history for the tickers that `filter` names. */
const refreshRecent = (filter: string): string => `
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

/** Days up to which closes should be there, YYYY-MM-DD. */
interface DueDays {
  /**
   * Of US listings, the last few in order: the evening's prices make the later ones, whether or not these are there.
   */
  rolled: readonly string[];
  /** Of all others: only a history tells theirs. */
  fetched: string;
  /** A split whose last day of the old scale is older is no longer waited for. */
  splitsFrom: string;
}

/**
 * Symbols in use whose year is worth fetching, each once in 20 hours: without closes, with closes that end too early or
 * lack a day that was rolled over, or (`again`, for a fresh copy) on a scale that a split has ended.
 */
export function lackCloses(
  sql: ServiceSql,
  popular: readonly string[],
  { rolled, fetched, splitsFrom }: DueDays,
): Promise<{ symbol: string; again: boolean }[]> {
  return sql.query(
    `with ${wanted}
     select t.symbol, coalesce(n.split_day >= $4::date, false) as again
       from public.tracked_tickers_latest t join wanted using (symbol)
         left join market.recent_closes r using (ticker_id) left join market.quote_notes n using (ticker_id)
      where t.asset_type in ('stock', 'etf')
        and (r.closes_to is null or n.split_day >= $4::date
          or case when ${keepsNewYorkDays}
               then exists (select from unnest($2::date[]) as due (d) where due.d > (r.closes -> 0 ->> 0)::date
                              and not exists (select from public.tracked_tickers_historical h
                                where h.ticker_id = t.ticker_id and h.d = due.d))
               else r.closes_to < $3::date end)
        and not exists (select from market.backfills b
          where b.ticker_id = t.ticker_id and b.done_at > now() - interval '20 hours')
      order by t.symbol`,
    [popular, rolled, fetched, splitsFrom],
  );
}

/** A listing with what its figures are in. */
export type Listed = Pick<BackfillTarget, 'ticker_id' | 'currency' | 'declared_unit'>;

/** A listing that may be backfilled. */
export interface BackfillTarget extends ListedUnit {
  ticker_id: number;
  current_price: number | null;
  source: string;
  /** Whether it trades on New York's days. */
  new_york_days: boolean;
}

/**
 * What listings lack, by symbol, which is the order of locks. `thin`: fewer than `enough` candles in the last year or
 * none since `until`, and not fetched in 20 hours. `stale`: no price since the given time, and no provider's answer
 * within the hour.
 */
export function lacksOf(
  sql: ServiceSql,
  symbols: readonly string[],
  enough: number,
  until: string,
  since: Date,
): Promise<{ symbol: string; thin: boolean; stale: boolean }[]> {
  return sql.query(
    `select * from (
       select t.symbol, t.asset_type in ('stock', 'etf')
          and ((select count(*) from public.tracked_tickers_historical h
            where h.ticker_id = t.ticker_id and h.d > current_date - 366) < $2
            or not exists (select from market.recent_closes r
              where r.ticker_id = t.ticker_id and r.closes_to >= $4::date))
          and not exists (select from market.backfills b
            where b.ticker_id = t.ticker_id and b.done_at > now() - interval '20 hours') as thin,
              (t.price_at is null or t.price_at < $3)
          and not exists (select from market.quote_notes n
            where n.ticker_id = t.ticker_id and n.answered_at > now() - interval '1 hour') as stale
         from public.tracked_tickers_latest t where t.symbol = any($1::text[])
     ) l where thin or stale order by symbol`,
    [symbols, enough, since, until],
  );
}

/**
 * Claims the fetch of a symbol's year, until it is done or for two minutes. What is done is done for 20 hours, or for a
 * minute where `again` asks for a fresh copy. `under way`: another process has the claim.
 */
export async function claimBackfill(
  sql: ServiceSql,
  symbol: string,
  again: boolean,
): Promise<BackfillTarget | 'under way' | undefined> {
  const [row] = await sql.query<BackfillTarget>(
    `with claimed as (
       insert into market.backfills as b (ticker_id)
       select t.ticker_id from public.tracked_tickers_latest t where t.symbol = $1 and t.asset_type in ('stock', 'etf')
       on conflict (ticker_id) do update set claimed_at = now(), done_at = null
        where (b.done_at is null and b.claimed_at < now() - interval '2 minutes')
           or b.done_at < now() - case when $2 then interval '1 minute' else interval '20 hours' end
       returning b.ticker_id
     )
     select t.ticker_id, t.symbol, t.currency, t.declared_unit, ${unitsColumn}, t.current_price, t.source,
       ${keepsNewYorkDays} as new_york_days
       from public.tracked_tickers_latest t join claimed using (ticker_id)`,
    [symbol, again],
  );
  if (row) return row;
  const [other] = await sql.query(
    `select from market.backfills b join public.tracked_tickers_latest t using (ticker_id)
     where t.symbol = $1 and b.done_at is null`,
    [symbol],
  );
  return other ? 'under way' : undefined;
}

export async function finishBackfill(sql: ServiceSql, tickerId: number): Promise<void> {
  await sql.query('update market.backfills set done_at = now() where ticker_id = $1', [tickerId]);
}

/** Releases the claim, so that the next try need not wait for its end. */
export async function releaseBackfill(sql: ServiceSql, tickerId: number): Promise<void> {
  await sql.query('delete from market.backfills where ticker_id = $1 and done_at is null', [tickerId]);
}

/** Days of the range that a listing has candles of. */
export async function countCandles(sql: ServiceSql, tickerId: number, { from, to }: DateRange): Promise<number> {
  const [row] = await sql.query<{ days: number }>(
    `select count(*)::int as days from public.tracked_tickers_historical
     where ticker_id = $1 and d between $2::date and $3::date`,
    [tickerId, from, to],
  );
  return row?.days ?? 0;
}

/**
 * Stores candles and the kept closes, newer values over older; with `replace` what was there up to their last day goes
 * first, and a newer day stays. A split that the history now knows is no longer waited for. False, and nothing stored:
 * the listing has another currency or unit by now.
 */
export function writeHistory(
  sql: ServiceSql,
  listed: Listed,
  candles: readonly Candle[],
  replace: boolean,
): Promise<boolean> {
  const { ticker_id: tickerId, currency, declared_unit: unit } = listed;
  return sql.transaction(async (transaction) => {
    // The listing first, as who writes its price or rolls its close does: neither waits for the other crosswise, and
    // the copy of the last closes is never made of what another transaction is about to change.
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
    await transaction.query(refreshRecent('t.ticker_id = $1'), [tickerId]);
    await transaction.query(
      `update market.quote_notes n set split_day = null, split_close = null
         from public.tracked_tickers_historical h
        where n.ticker_id = $1 and h.ticker_id = n.ticker_id and h.d = n.split_day
          and h.close between n.split_close / $2 and n.split_close * $2`,
      [tickerId, MAX_NORMAL_DAILY_RATIO],
    );
    return true;
  });
}

interface History {
  tickerId: number;
  candles: readonly Candle[];
}

/** Candles of several tickers at once, for the first run. */
export function writeHistories(sql: ServiceSql, histories: readonly History[]): Promise<void> {
  return sql.transaction(async (transaction) => {
    await writeCandles(transaction, histories);
    await transaction.query(refreshRecent('t.ticker_id = any($1::int[])'), [histories.map(({ tickerId }) => tickerId)]);
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

/** Listings rolled in one transaction: writers of prices wait 0.2 s, not 10 s as for 100,000 (two busy cores). */
const ROLLED_AT_ONCE = 2_000;

interface RolledDay {
  day: string;
  /** When prices count that are from the day's end, and until when. */
  from: Date;
  until: Date;
  /** The closing bell: what a history fetched after it has brought is the official close, and stays. */
  close: Date;
}

/**
 * Makes the day's prices its closes, for listings on New York's days whose price is from that day's end, and rolls
 * their kept closes. Others, whose price may be of another day, and those without history are left to their backfill.
 * Returns how many closes were written.
 */
export async function rollCloses(sql: ServiceSql, day: RolledDay): Promise<number> {
  let total = 0;
  for (let after: string | undefined = ''; after !== undefined;) {
    const { written, last } = await rollSome(sql, day, after);
    total += written;
    after = last;
  }
  return total;
}

/** Rolls the next ones by symbol. `last`: the last symbol of these; none where no more may follow. */
function rollSome(
  sql: ServiceSql,
  { day, from, until, close }: RolledDay,
  after: string,
): Promise<{ written: number; last: string | undefined }> {
  return sql.transaction(async (transaction) => {
    const priced = await transaction.query<{ ticker_id: number; symbol: string }>(
      `select t.ticker_id, t.symbol from public.tracked_tickers_latest t
        where t.asset_type in ('stock', 'etf') and t.current_price > 0 and t.price_at >= $1 and t.price_at < $2
          and ${keepsNewYorkDays}
          and exists (select from market.recent_closes r where r.ticker_id = t.ticker_id)
          and t.symbol > $3
        order by t.symbol limit $4 for no key update of t`,
      [from, until, after, ROLLED_AT_ONCE],
    );
    const written = await transaction.query<{ ticker_id: number }>(
      `insert into public.tracked_tickers_historical as h (ticker_id, d, close, open, high, low, volume)
       select t.ticker_id, $2::date, t.current_price, t.open, t.day_high, t.day_low, t.volume
         from public.tracked_tickers_latest t where t.ticker_id = any($1::int[])
       on conflict (ticker_id, d) do update
         set close = excluded.close, open = excluded.open, high = excluded.high, low = excluded.low,
           volume = excluded.volume
         where not exists (select from market.backfills b where b.ticker_id = h.ticker_id and b.done_at > $3)
       returning h.ticker_id`,
      [priced.map(({ ticker_id }) => ticker_id), day, close],
    );
    await transaction.query(refreshRecent('t.ticker_id = any($1::int[])'), [written.map(({ ticker_id }) => ticker_id)]);
    return { written: written.length, last: priced.length < ROLLED_AT_ONCE ? undefined : priced.at(-1)!.symbol };
  });
}
