/** The table `wanted` (symbol): watched, held and popular symbols; the last are the statement's first parameter. */
export const wanted = `used as materialized (
       select distinct u.symbol from market.symbols_in_use u
     ), wanted as (
       select u.symbol from used u union select p.symbol from unnest($1::text[]) p (symbol)
     )`;

/** Assignments that leave a listing without a price. */
export const noPrice = `current_price = null, change_1d = null, change_amount = null, prev_close = null, open = null,
              day_low = null, day_high = null, volume = null, market_cap = null, price_at = null`;

/** Takes away what goes with the prices of the listings that the table `of` (ticker_id) of the same statement names. */
export const dropHistory = (of: string): string => `history as (
       delete from public.tracked_tickers_historical h using ${of} d where h.ticker_id = d.ticker_id
     ), closes as (
       delete from market.recent_closes r using ${of} d where r.ticker_id = d.ticker_id
     ), claims as (
       delete from market.backfills b using ${of} d where b.ticker_id = d.ticker_id
     )`;
