/**
 * CTE `active_symbols` (symbol): watched, held and popular symbols. The popular ones are the first parameter of the statement.
 */
export const ACTIVE_SYMBOLS_CTE = `in_use as materialized (
       select distinct u.symbol from market.symbols_in_use u
     ), active_symbols as (
       select u.symbol from in_use u union select p.symbol from unnest($1::text[]) p (symbol)
     )`;

/** Assignments that clear the price of a listing. */
export const CLEAR_PRICE_ASSIGNMENTS = `current_price = null, change_1d = null, change_amount = null, prev_close = null, open = null,
              day_low = null, day_high = null, volume = null, market_cap = null, price_at = null`;

/**
 * Returns CTEs that delete the data beside the prices of the listings in `cteName` (ticker_id), a CTE of the same
 * statement.
 */
export const deleteHistoryCtes = (cteName: string): string => `history as (
       delete from public.tracked_tickers_historical h using ${cteName} d where h.ticker_id = d.ticker_id
     ), closes as (
       delete from market.recent_closes r using ${cteName} d where r.ticker_id = d.ticker_id
     ), claims as (
       delete from market.backfills b using ${cteName} d where b.ticker_id = d.ticker_id
     )`;
