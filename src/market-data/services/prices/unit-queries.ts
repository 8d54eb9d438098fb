import type { ServiceSql } from '../../../platform/database/roles.ts';

/** Known units of a listing's quotes. */
export interface ListedUnit {
  symbol: string;
  currency: string | null;
  /** Unit at registration. Providers are called for their own unit only if this is a minor one. */
  declared_unit: string | null;
  /** Declared units by provider, or null if there are none. */
  units: Readonly<Record<string, string | null>> | null;
}

/** Column `units` of the listing `t`. */
export const UNITS_COLUMN =
  '(select json_object_agg(u.provider, u.unit) from market.declared_units u where u.ticker_id = t.ticker_id) as units';

/** Records the unit in which a provider quotes a listing. */
export async function recordUnit(
  sql: ServiceSql,
  symbol: string,
  provider: string,
  unit: string | null,
): Promise<void> {
  await sql.query(
    `insert into market.declared_units (ticker_id, provider, unit) select ticker_id, $2, $3
     from public.tracked_tickers_latest where symbol = $1
     on conflict (ticker_id, provider) do update set unit = excluded.unit`,
    [symbol, provider, unit],
  );
}
