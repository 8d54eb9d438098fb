import type { ServiceSql } from '../../../platform/database/roles.ts';
import type { DayRates, ExchangeRateSource, RateHistories } from '../../domain/exchange-rates.ts';

/**
 * Returns the rates of these currencies from the last one on or before `from` up to `to`. Simulated rates are included
 * only if `simulated`.
 */
export async function listRates(
  sql: ServiceSql,
  currencies: readonly string[],
  range: { from: string; to: string },
  simulated: boolean,
): Promise<RateHistories> {
  const rows = await sql.query<{ currency: string; dates: string[]; rates: string[]; sample: boolean }>(
    `select r.currency, array_agg(r.d::text order by r.d) as dates, array_agg(r.rate::text order by r.d) as rates,
            bool_or(r.source = 'simulator') as sample
       from unnest($1::text[]) c (currency)
       left join lateral (
         select max(o.d) as d from market.exchange_rates o
          where o.currency = c.currency and o.d <= $2::date and ($4 or o.source <> 'simulator')
       ) start on true
       join market.exchange_rates r on r.currency = c.currency and r.d >= coalesce(start.d, $2::date)
        and r.d <= $3::date and ($4 or r.source <> 'simulator')
      group by r.currency`,
    [currencies, range.from, range.to, simulated],
  );
  return new Map(rows.map(({ currency, ...history }) => [currency, history]));
}

/** Returns the first and the last stored day of a source, or null for each if there is none. */
export async function readRateRange(
  sql: ServiceSql,
  source: ExchangeRateSource['id'],
): Promise<{ oldest: string | null; newest: string | null }> {
  const [row] = await sql.query<{ oldest: string | null; newest: string | null }>(
    `select min(r.d)::text as oldest, max(r.d)::text as newest from market.exchange_rates r where r.source = $1`,
    [source],
  );
  return row!;
}

/**
 * Stores published rates and replaces those of the same day. Simulated rates never replace published ones, and published
 * ones delete all simulated ones.
 */
export function storeRates(
  sql: ServiceSql,
  days: readonly DayRates[],
  source: ExchangeRateSource['id'],
): Promise<void> {
  const rows = days.flatMap(({ date, rates }) =>
    Object.entries(rates).map(([currency, rate]) => ({ date, currency, rate })),
  );
  return sql.transaction(async (transaction) => {
    if (source !== 'simulator') await transaction.query(`delete from market.exchange_rates where source = 'simulator'`);
    await transaction.query(
      `insert into market.exchange_rates as r (currency, d, rate, source)
       select n.currency, n.d, n.rate, $4 from unnest($1::text[], $2::date[], $3::numeric[]) n (currency, d, rate)
        order by n.currency, n.d
       on conflict (currency, d) do update set rate = excluded.rate, source = excluded.source
        where (r.rate, r.source) is distinct from (excluded.rate, excluded.source)
          and (excluded.source <> 'simulator' or r.source = 'simulator')`,
      [rows.map(({ currency }) => currency), rows.map(({ date }) => date), rows.map(({ rate }) => rate), source],
    );
  });
}
