import type { ServiceSql } from '../../../platform/database/roles.ts';
import { TRADES_ON_NEW_YORK_DAYS } from '../shared/exchange-days.ts';
import { refreshRecentCloses } from './history-queries.ts';

/** Listings per transaction. Writers of prices then wait 0.2 s, compared with 10 s for 100,000 listings. */
const BATCH_SIZE = 2_000;

interface ClosedDay {
  day: string;
  /** Time range of prices that count as the last ones of the day. */
  from: Date;
  until: Date;
  /** The closing time. A close from a history fetched after it is the official one and stays. */
  close: Date;
}

/**
 * Writes the day's closes from the last prices of listings on New York's market days, and updates their recent closes.
 * Other listings may have a price of another day, so their backfill writes the closes, as for listings without a
 * history. Returns the number of written closes.
 */
export async function writeDayCloses(sql: ServiceSql, day: ClosedDay): Promise<number> {
  let total = 0;
  let afterSymbol: string | undefined = '';
  while (afterSymbol !== undefined) {
    const { written, lastSymbol }: BatchResult = await writeBatch(sql, day, afterSymbol);
    total += written;
    afterSymbol = lastSymbol;
  }
  return total;
}

interface BatchResult {
  written: number;
  /** Last symbol of the batch, or undefined if no more can follow. */
  lastSymbol: string | undefined;
}

/** Locks the next listings by symbol, in the same order as the writers of prices, and writes their closes. */
function writeBatch(
  sql: ServiceSql,
  { day, from, until, close }: ClosedDay,
  afterSymbol: string,
): Promise<BatchResult> {
  return sql.transaction(async (transaction) => {
    const pricedListings = await transaction.query<{ ticker_id: number; symbol: string }>(
      `select t.ticker_id, t.symbol from public.tracked_tickers_latest t
        where t.asset_type in ('stock', 'etf') and ${TRADES_ON_NEW_YORK_DAYS}
          and t.current_price > 0 and t.price_at >= $1 and t.price_at < $2
          and exists (select from market.recent_closes r where r.ticker_id = t.ticker_id)
          and t.symbol > $3
        order by t.symbol limit $4 for no key update of t`,
      [from, until, afterSymbol, BATCH_SIZE],
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
      [pricedListings.map(({ ticker_id }) => ticker_id), day, close],
    );
    await transaction.query(refreshRecentCloses('t.ticker_id = any($1::int[])'), [
      written.map(({ ticker_id }) => ticker_id),
    ]);
    return {
      written: written.length,
      lastSymbol: pricedListings.length < BATCH_SIZE ? undefined : pricedListings.at(-1)!.symbol,
    };
  });
}
