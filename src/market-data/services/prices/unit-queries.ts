import type { ServiceSql } from '../../../platform/database/roles.ts';

/** What is known of the unit that a listing is quoted in. */
export interface ListedUnit {
  symbol: string;
  currency: string | null;
  /** What the listing was registered with; providers are asked for their own only where this is a minor unit. */
  declared_unit: string | null;
  /** What each provider has declared; `null` where none has. */
  units: Readonly<Record<string, string | null>> | null;
}

/** `units` of the listing `t`. */
export const UNITS_COLUMN =
  '(select json_object_agg(u.provider, u.unit) from market.declared_units u where u.ticker_id = t.ticker_id) as units';

/** Notes in which unit a provider quotes a listing. */
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
