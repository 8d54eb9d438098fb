import type { ServiceSql } from '../database/roles.ts';

/** Listings in use of which nobody has been asked for a week who they are, those first that have waited longest. */
export async function profilesDue(sql: ServiceSql, popular: readonly string[], most: number): Promise<string[]> {
  const rows = await sql.query<{ symbol: string }>(
    `with wanted as (
       select symbol from public.watchlist_items union select symbol from public.manual_public_holdings union select unnest($1::text[])
     )
     select t.symbol from public.tracked_tickers_latest t join wanted using (symbol) left join market.quote_notes n using (ticker_id)
      where coalesce(n.profile_checked_at, t.registered_at) < now() - interval '7 days'
      order by coalesce(n.profile_checked_at, t.registered_at), t.symbol limit $2`,
    [popular, most],
  );
  return rows.map(({ symbol }) => symbol);
}

export async function noteProfileCheck(sql: ServiceSql, symbol: string): Promise<void> {
  await sql.query(
    `insert into market.quote_notes (ticker_id, profile_checked_at) select ticker_id, now() from public.tracked_tickers_latest where symbol = $1
     on conflict (ticker_id) do update set profile_checked_at = excluded.profile_checked_at`,
    [symbol],
  );
}

export async function renameListing(sql: ServiceSql, symbol: string, name: string): Promise<void> {
  await sql.query('update public.tracked_tickers_latest set name = $2 where symbol = $1 and name is distinct from $2', [symbol, name]);
}

/** Gives a listing another currency, without any price or close of the old one, in one statement. False: it had that already. */
export async function changeCurrency(sql: ServiceSql, symbol: string, currency: string, unit: string | null): Promise<boolean> {
  const [row] = await sql.query<{ changed: boolean }>(
    `with changed as (
       update public.tracked_tickers_latest
          set currency = $2, declared_unit = $3, current_price = null, change_1d = null, change_amount = null, prev_close = null, open = null,
              day_low = null, day_high = null, volume = null, market_cap = null, price_at = null, quarantined_at = null, quarantine_reason = null
        where symbol = $1 and currency is distinct from $2 returning ticker_id
     ), history as (
       delete from public.tracked_tickers_historical h using changed c where h.ticker_id = c.ticker_id
     ), closes as (
       delete from market.recent_closes r using changed c where r.ticker_id = c.ticker_id
     ), claims as (
       delete from market.backfills b using changed c where b.ticker_id = c.ticker_id
     ), units as (
       delete from market.declared_units u using changed c where u.ticker_id = c.ticker_id
     ), turns as (
       update market.quote_notes n set asked_at = null, split_checked_at = null, split_day = null, split_close = null from changed c where n.ticker_id = c.ticker_id
     )
     select exists (select from changed) as changed`,
    [symbol, currency, unit],
  );
  return row?.changed === true;
}
