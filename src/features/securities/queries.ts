import type { MemberSql } from '../../platform/database/roles.ts';
import type { ShownSecurity } from './contract.ts';

type CatalogFields =
  | 'symbol'
  | 'asset_type'
  | 'exchange'
  | 'logo'
  | 'currency'
  | 'price'
  | 'change_1d'
  | 'change_amount'
  | 'prev_close'
  | 'open'
  | 'day_low'
  | 'day_high'
  | 'volume'
  | 'market_cap'
  | 'delayed_minutes'
  | 'sample';

/** A listing of the catalog with its newest price. */
export interface CatalogRow extends Pick<ShownSecurity, CatalogFields> {
  ticker_id: number;
  name: string | null;
  price_at: Date | null;
}

/** Reads a listing, or `undefined` if the catalog lacks the symbol. */
export async function findCatalogRow(sql: MemberSql, symbol: string): Promise<CatalogRow | undefined> {
  const [row] = await sql.query<CatalogRow>(
    `select t.ticker_id, t.symbol, t.asset_type, t.name, t.exchange, t.logo, t.currency, t.current_price as price,
            t.change_1d, t.change_amount, t.prev_close, t.open, t.day_low, t.day_high, t.volume::float8 as volume,
            t.market_cap, t.price_at, t.delayed_minutes,
            t.source = 'simulator' and t.current_price is not null as sample
       from public.listings t where t.symbol = $1`,
    [symbol],
  );
  return row;
}
