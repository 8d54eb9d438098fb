import type { ServiceSql } from '../../../platform/database/roles.ts';
import type { DividendPayment } from '../../domain/dividends.ts';
import type { DividendListing } from './clean-dividends.ts';

/** Security in use, and when its dividends were last fetched. */
export interface DividendState extends DividendListing {
  /** Hours since the last fetch, or null if there was none. */
  age_hours: number | null;
  payments: DividendPayment[] | null;
}

/** Dividends of one security, newest first. */
export interface StoredDividends {
  symbol: string;
  name: string | null;
  /** Null if they were never fetched. */
  payments: DividendPayment[] | null;
}

/**
 * Returns the held and watched securities without bonds, those without a fetch first, then the oldest fetches. A fetch
 * of the simulator counts only if it is the provider (`sample`).
 */
export function listDividendStates(sql: ServiceSql, sample: boolean): Promise<DividendState[]> {
  return sql.query(
    `with in_use as materialized (select distinct u.symbol from market.symbols_in_use u)
     select t.symbol, t.currency, t.declared_unit, d.payments,
            extract(epoch from now() - d.fetched_at)::double precision / 3600 as age_hours
       from in_use u join public.tracked_tickers_latest t on t.symbol = u.symbol
       left join market.dividends d on d.symbol = t.symbol and d.sample = $1
      where t.asset_type <> 'bond' order by d.fetched_at nulls first, t.symbol`,
    [sample],
  );
}

/** Stores the dividends of a security of the catalog. Those of the simulator never replace those of a provider. */
export async function storeDividends(
  sql: ServiceSql,
  { symbol, payments }: { symbol: string; payments: readonly DividendPayment[] },
  sample: boolean,
): Promise<void> {
  await sql.query(
    `insert into market.dividends as d (symbol, payments, fetched_at, sample)
     select t.symbol, $2::jsonb, now(), $3 from public.tracked_tickers_latest t where t.symbol = $1
     on conflict (symbol) do update
       set payments = excluded.payments, fetched_at = excluded.fetched_at, sample = excluded.sample
      where d.sample or not excluded.sample`,
    [symbol, JSON.stringify(payments), sample],
  );
}

/** Returns the stocks, ETFs and funds among these symbols with their stored dividends. Bonds have none. */
export function readDividends(
  sql: ServiceSql,
  symbols: readonly string[],
  sample: boolean,
): Promise<StoredDividends[]> {
  return sql.query(
    `select t.symbol, t.name, d.payments from public.tracked_tickers_latest t
       left join market.dividends d on d.symbol = t.symbol and d.sample = $2
      where t.symbol = any($1::text[]) and t.asset_type <> 'bond' order by t.symbol`,
    [symbols, sample],
  );
}
