import type { TestDatabase } from './database.ts';

/**
 * Returns this number of symbols for a long list. If the catalog is too small, further tickers are copied from its
 * stocks with their prices and closes.
 */
export async function insertTickers(database: TestDatabase, count: number): Promise<string[]> {
  await database.owner(
    `with inserted as (
       insert into public.tracked_tickers_latest
              (symbol, asset_type, name, exchange, currency, current_price, change_1d, change_amount, prev_close, open,
                day_low, day_high, volume, market_cap, price_at)
       select 'L' || lpad(n::text, 4, '0'), 'stock', 'Listing ' || n, t.exchange, t.currency, t.current_price,
         round((n * 37 % 600 - 300)::numeric / 100, 2),
              t.change_amount, t.prev_close, t.open, t.day_low, t.day_high, t.volume, t.market_cap, t.price_at
         from generate_series(1, $1::int - (select count(*)::int from public.tracked_tickers_latest
           where asset_type in ('stock', 'etf'))) n
        cross join (select *, row_number() over (order by symbol) - 1 as position, count(*) over () as stocks
          from public.tracked_tickers_latest where asset_type = 'stock') t
        where t.position = n % t.stocks
       returning ticker_id)
     insert into market.recent_closes (ticker_id, closes, closes_to)
     select m.ticker_id, c.closes, c.closes_to
       from inserted m cross join (select *, row_number() over (order by ticker_id) - 1 as position, count(*) over () as rows
         from market.recent_closes) c
      where c.position = m.ticker_id % c.rows`,
    [count],
  );
  const found = await database.owner<{ symbol: string }>(
    `select symbol from public.tracked_tickers_latest where asset_type in ('stock', 'etf') order by symbol limit $1`,
    [count],
  );
  return found.map(({ symbol }) => symbol);
}
