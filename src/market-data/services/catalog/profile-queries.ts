import type { ServiceSql } from '../../../platform/database/roles.ts';
import type { NewTicker } from './catalog-queries.ts';
import { deleteHistoryCtes, CLEAR_PRICE_ASSIGNMENTS, ACTIVE_SYMBOLS_CTE } from '../shared/sql-fragments.ts';

/** Returns listings in use whose profile was not checked for a week, longest-waiting first. */
export async function listProfilesDue(
  sql: ServiceSql,
  popular: readonly string[],
  maxCount: number,
): Promise<string[]> {
  const rows = await sql.query<{ symbol: string }>(
    `with ${ACTIVE_SYMBOLS_CTE}
     select t.symbol from public.tracked_tickers_latest t join active_symbols using (symbol)
       left join market.quote_checks n using (ticker_id)
      where t.asset_type <> 'bond' and coalesce(n.profile_checked_at, t.registered_at) < now() - interval '7 days'
      order by coalesce(n.profile_checked_at, t.registered_at), t.symbol limit $2`,
    [popular, maxCount],
  );
  return rows.map(({ symbol }) => symbol);
}

/**
 * Records a profile check. A check without an answer counts as almost a week old, so that it is repeated the next day.
 */
export async function recordProfileCheck(sql: ServiceSql, symbol: string, hasAnswer: boolean): Promise<void> {
  await sql.query(
    `insert into market.quote_checks (ticker_id, profile_checked_at)
     select ticker_id, now() - case when $2 then interval '0' else interval '6 days 4 hours' end
       from public.tracked_tickers_latest where symbol = $1
     on conflict (ticker_id) do update set profile_checked_at = excluded.profile_checked_at`,
    [symbol, hasAnswer],
  );
}

type ProfileFields = Pick<NewTicker, 'symbol' | 'name' | 'market_cap' | 'isin' | 'fund_assets'>;

/** Stores the name, ISIN and size of a profile. Also stores the market cap, for providers whose quotes have none. */
export async function recordProfile(
  sql: ServiceSql,
  { symbol, name, market_cap: marketCap, isin, fund_assets: assets }: ProfileFields,
): Promise<void> {
  await sql.query(
    `update public.tracked_tickers_latest t
        set name = coalesce($2, t.name), market_cap = coalesce($3, t.market_cap), isin = coalesce($4, t.isin),
            fund_assets = coalesce($5, t.fund_assets)
      where t.symbol = $1 and (t.name, t.market_cap, t.isin, t.fund_assets) is distinct from
        (coalesce($2, t.name), coalesce($3, t.market_cap), coalesce($4, t.isin), coalesce($5, t.fund_assets))`,
    [symbol, name, marketCap, isin, assets],
  );
}

/**
 * Changes the currency of a listing and deletes all prices and closes in the old one. The lock is a separate statement:
 * the next statement then sees and deletes the rows that were written while it waited. Returns false if the listing had
 * that currency already.
 */
export function changeCurrency(
  sql: ServiceSql,
  symbol: string,
  currency: string,
  unit: string | null,
): Promise<boolean> {
  return sql.transaction(async (transaction) => {
    const listed = await transaction.query(
      'select from public.tracked_tickers_latest where symbol = $1 and currency is distinct from $2 for no key update',
      [symbol, currency],
    );
    if (listed.length === 0) return false;
    await transaction.query(
      `with changed as (
         update public.tracked_tickers_latest
            set currency = $2, declared_unit = $3, quarantined_at = null, quarantine_reason = null, ${CLEAR_PRICE_ASSIGNMENTS}
          where symbol = $1 returning ticker_id
       ), ${deleteHistoryCtes('changed')}, units as (
         delete from market.declared_units u using changed c where u.ticker_id = c.ticker_id
       )
       update market.quote_checks n
         set requested_at = null, responded_at = null, split_checked_at = null, pending_split_date = null, pending_split_close = null
         from changed c where n.ticker_id = c.ticker_id`,
      [symbol, currency, unit],
    );
    return true;
  });
}
