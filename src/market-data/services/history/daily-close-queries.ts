import type { ServiceSql } from '../../../platform/database/roles.ts';
import { TRADES_ON_NEW_YORK_DAYS } from '../shared/exchange-days.ts';
import { refreshRecentCloses } from './history-queries.ts';

/** Listings in one transaction: writers of prices wait 0.2 s, not 10 s as for 100,000 (two busy cores). */
const BATCH_SIZE = 2_000;

interface ClosedDay {
  day: string;
  /** When prices count that are from the day's end, and until when. */
  from: Date;
  until: Date;
  /** The closing bell: what a history fetched after it has brought is the official close, and stays. */
  close: Date;
}

/**
 * Makes the day's prices its closes, for listings on New York's days whose price is from that day's end, and renews
 * their recent closes. Others, whose price may be of another day, and those without history are left to their backfill.
 * Returns how many closes were written.
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
  /** The last symbol of these; none where no more may follow. */
  lastSymbol: string | undefined;
}

/** Locks the next listings by symbol, which is the order of those who write prices, and writes their closes. */
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
