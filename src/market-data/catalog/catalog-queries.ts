import type { MemberSql, ServiceSql } from '../../database/roles.ts';
import type { AssetType } from '../providers/port.ts';

/** A listing as members see it. */
export interface TickerRow {
  symbol: string;
  asset_type: AssetType;
  name: string | null;
  exchange: string | null;
  currency: string | null;
  logo: string | null;
  logo_source: 'registry' | 'issuer' | null;
}

/** A row to be made; `declared_unit` is a minor unit's code or null. */
export interface NewTicker extends TickerRow {
  declared_unit: string | null;
  /** Where the provider has the registry logo; null where there is none or it is drawn here. */
  logo_address: string | null;
  market_cap: number | null;
}

const columns = 't.symbol, t.asset_type, t.name, t.exchange, t.currency, t.logo, t.logo_source';

export async function findTicker(sql: ServiceSql, symbol: string): Promise<TickerRow | undefined> {
  const [row] = await sql.query<TickerRow>(
    `select ${columns} from public.tracked_tickers_latest t where t.symbol = $1`,
    [symbol],
  );
  return row;
}

/** Whether the catalog holds any listing. */
export async function hasTickers(sql: ServiceSql): Promise<boolean> {
  return (await sql.query('select from public.tracked_tickers_latest limit 1')).length > 0;
}

/** Removes the bonds that nobody watches or holds: without a feed they would never have a price. */
export async function dropUnusedBonds(sql: ServiceSql): Promise<void> {
  await sql.query(
    `with used as materialized (select distinct u.symbol from market.symbols_in_use u)
     delete from public.tracked_tickers_latest t where t.asset_type = 'bond'
        and not exists (select from used u where u.symbol = t.symbol)`,
  );
}

/** Those of the symbols that the catalog knows. */
export async function selectKnownSymbols(
  sql: MemberSql | ServiceSql,
  symbols: readonly string[],
): Promise<Set<string>> {
  const rows = await sql.query<{ symbol: string }>(
    `select symbol from public.tracked_tickers_latest where symbol = any($1::text[])`,
    [symbols],
  );
  return new Set(rows.map(({ symbol }) => symbol));
}

/** Makes the rows that are missing, in one statement; existing rows stay. Returns what is new. */
export function insertTickers(
  sql: ServiceSql,
  tickers: readonly NewTicker[],
): Promise<{ symbol: string; ticker_id: number }[]> {
  return sql.query(
    `with n as (
       select * from jsonb_to_recordset($1::jsonb) as n (symbol text, asset_type text, name text, exchange text,
         currency text, declared_unit text,
         logo text, logo_source text, logo_address text, market_cap float8)
     ), made as (
       insert into public.tracked_tickers_latest (symbol, asset_type, name, exchange, currency, declared_unit, logo,
         logo_source, market_cap)
       select n.symbol, n.asset_type, n.name, n.exchange, n.currency, n.declared_unit, n.logo, n.logo_source,
              n.market_cap from n
         order by n.symbol
       on conflict (symbol) do nothing
       returning ticker_id, symbol
     ), logos as (
       insert into market.logos (ticker_id, address) select made.ticker_id, n.logo_address from made
         join n using (symbol) where n.logo_address is not null
     )
     select symbol, ticker_id from made`,
    [JSON.stringify(tickers)],
  );
}

/** Listings whose symbol begins with the parameter; none for null. One range each, which the planner can use. */
const beginningWith = (parameter: '$1' | '$5'): string => `
       (select ${columns}, t.market_cap, case when t.symbol = ${parameter} then 0 else 1 end as rank
          from public.tracked_tickers_latest t
         where ${parameter}::text is not null and t.symbol ~>=~ ${parameter} and t.symbol ~<~ (${parameter} || '~')
         order by t.symbol limit $3)`;

/**
 * Listings whose symbol begins with the query in one of its two spellings, or whose name has words that begin with each
 * of its words; best first, among names the one that begins with the query, then the larger company. `words` is the
 * query as a prefix search (`van:* & bond:*`), or null where it holds no word.
 */
export function searchTickers(
  sql: ServiceSql,
  query: string,
  [symbol, alias]: readonly string[],
  words: string | null,
  limit: number,
): Promise<TickerRow[]> {
  return sql.query<TickerRow>(
    `with found as (${beginningWith('$1')}
       union all${beginningWith('$5')}
       union all
       (select ${columns}, t.market_cap, case when starts_with(lower(t.name), lower($4)) then 2 else 3 end
          from public.tracked_tickers_latest t
         where $2::text is not null and to_tsvector('simple', coalesce(t.name, '')) @@ to_tsquery('simple', $2)
         order by t.market_cap desc nulls last, t.symbol limit 200)
     ), best as (
       select distinct on (f.symbol) f.* from found f order by f.symbol, f.rank
     )
     select ${columns} from best t
      order by t.rank, case when t.rank >= 2 then t.market_cap end desc nulls last, t.symbol limit $3`,
    [symbol ?? null, words, limit, query, alias ?? null],
  );
}
