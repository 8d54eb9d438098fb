import type { ServiceSql } from '../../../platform/database/roles.ts';
import type { Fundamentals } from '../../domain/market-data-provider.ts';

/**
 * Returns the stored fundamentals of a symbol. `fresh` is true for a day. `sample` selects those of the simulator or
 * those of a provider.
 */
export async function findFundamentals(
  sql: ServiceSql,
  symbol: string,
  sample: boolean,
): Promise<{ fundamentals: Fundamentals; fresh: boolean } | undefined> {
  const [row] = await sql.query<{ fundamentals: Fundamentals; fresh: boolean }>(
    `select f.fundamentals, f.fetched_at > now() - interval '1 day' as fresh from market.fundamentals f
     where f.symbol = $1 and f.sample = $2`,
    [symbol, sample],
  );
  return row;
}

/** Stores the fundamentals of a symbol of the catalog. */
export async function storeFundamentals(
  sql: ServiceSql,
  symbol: string,
  fundamentals: Fundamentals,
  sample: boolean,
): Promise<void> {
  await sql.query(
    `insert into market.fundamentals (symbol, fundamentals, fetched_at, sample)
     select t.symbol, $2::jsonb, now(), $3 from public.tracked_tickers_latest t where t.symbol = $1
     on conflict (symbol) do update
       set fundamentals = excluded.fundamentals, fetched_at = excluded.fetched_at, sample = excluded.sample`,
    [symbol, JSON.stringify(fundamentals), sample],
  );
}
