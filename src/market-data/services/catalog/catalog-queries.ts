import type { MemberSql, ServiceSql } from '../../../platform/database/roles.ts';
import type { AssetType } from '../../domain/market-data-provider.ts';

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

/** A listing with its ISIN, or null if that is unknown. */
export interface IdentifiedTicker extends TickerRow {
  isin: string | null;
}

/** A new catalog row. `declared_unit` is the code of a minor unit or null. */
export interface NewTicker extends IdentifiedTicker {
  declared_unit: string | null;
  /** URL of the registry logo at the provider. null if there is none or Tally draws the logo. */
  logo_address: string | null;
  market_cap: number | null;
  /** Net assets of a fund in its currency. */
  fund_assets: number | null;
}

const TICKER_COLUMNS = 't.symbol, t.asset_type, t.name, t.exchange, t.currency, t.logo, t.logo_source';

export async function findTicker(sql: ServiceSql, symbol: string): Promise<IdentifiedTicker | undefined> {
  const [row] = await sql.query<IdentifiedTicker>(
    `select ${TICKER_COLUMNS}, t.isin from public.tracked_tickers_latest t where t.symbol = $1`,
    [symbol],
  );
  return row;
}

/** Returns whether the catalog holds any listing. */
export async function hasTickers(sql: ServiceSql): Promise<boolean> {
  return (await sql.query('select from public.tracked_tickers_latest limit 1')).length > 0;
}

/** Deletes bonds that no member watches or holds. Without a bond feed they would never have a price. */
export async function deleteUnusedBonds(sql: ServiceSql): Promise<void> {
  await sql.query(
    `with symbols_in_use as materialized (select distinct u.symbol from market.symbols_in_use u)
     delete from public.tracked_tickers_latest t where t.asset_type = 'bond'
        and not exists (select from symbols_in_use u where u.symbol = t.symbol)`,
  );
}

/** Returns the symbols that the catalog holds, and for each given ISIN the first listing by symbol. */
export async function selectExistingSymbols(
  sql: MemberSql | ServiceSql,
  symbols: readonly string[],
): Promise<{ existing: Set<string>; byIsin: Map<string, string> }> {
  const rows = await sql.query<{ symbol: string; isin: string | null }>(
    `select symbol, null as isin from public.tracked_tickers_latest where symbol = any($1::text[])
     union all
     select symbol, isin from public.tracked_tickers_latest where isin = any($1::text[]) order by symbol desc`,
    [symbols],
  );
  return {
    existing: new Set(rows.map(({ symbol }) => symbol)),
    byIsin: new Map(rows.flatMap(({ symbol, isin }) => (isin === null ? [] : [[isin, symbol] as const]))),
  };
}

/** Returns the listings that have one of the symbols or ISINs, by symbol. Several listings may have one ISIN. */
export const selectListings = (
  sql: ServiceSql,
  { symbols, isins }: { symbols: readonly string[]; isins: readonly string[] },
): Promise<IdentifiedTicker[]> =>
  sql.query(
    `select ${TICKER_COLUMNS}, t.isin from public.tracked_tickers_latest t
      where t.symbol = any($1::text[]) or t.isin = any($2::text[]) order by t.symbol`,
    [symbols, isins],
  );

/** Inserts missing rows in one statement and leaves existing rows unchanged. Returns the new rows. */
export function insertTickers(
  sql: ServiceSql,
  tickers: readonly NewTicker[],
): Promise<{ symbol: string; ticker_id: number }[]> {
  return sql.query(
    `with listing as (
       select * from jsonb_to_recordset($1::jsonb) as n (symbol text, asset_type text, name text, exchange text,
         currency text, declared_unit text,
         logo text, logo_source text, logo_address text, market_cap float8, isin text, fund_assets float8)
     ), inserted as (
       insert into public.tracked_tickers_latest (symbol, asset_type, name, exchange, currency, declared_unit, logo,
         logo_source, market_cap, isin, fund_assets)
       select n.symbol, n.asset_type, n.name, n.exchange, n.currency, n.declared_unit, n.logo, n.logo_source,
              n.market_cap, n.isin, n.fund_assets from listing n
         order by n.symbol
       on conflict (symbol) do nothing
       returning ticker_id, symbol
     ), logos as (
       insert into market.logos (ticker_id, address) select inserted.ticker_id, n.logo_address from inserted
         join listing n using (symbol) where n.logo_address is not null
     )
     select symbol, ticker_id from inserted`,
    [JSON.stringify(tickers)],
  );
}

/** The name without spaces, and its words with and without punctuation, as in the catalog's indexes. */
const JOINED_NAME = `regexp_replace(normalize(lower(t.name), NFKD), '^the |[^a-z0-9]+', '', 'g')`;
const NAME_VECTOR = `to_tsvector('simple', coalesce(t.name, '') || ' ' ||
         regexp_replace(normalize(lower(coalesce(t.name, '')), NFKD), '[^a-z0-9 ]+', '', 'g'))`;
const SIZE_EXPRESSION = 'coalesce(t.market_cap, t.fund_assets)';

/** Maximum number of listings of each kind of match that are counted and ranked. */
const MAX_MATCHES = 200;

/** Terms of a catalog search. */
export interface SearchTerms {
  /** Spellings of a symbol that may be partly typed. */
  symbols: readonly string[];
  /** Symbols of listings with this common name. */
  aliasSymbols: readonly string[];
  isin: string | null;
  /** A search for word prefixes (`van:* & bond:*`) and the query without spaces. null if the query has none. */
  words: string | null;
  joined: string | null;
  /** Whether the results include bonds. */
  bonds: boolean;
}

/**
 * Searches listings by symbol prefix, ISIN, prefixes of all words in the name, or prefix of the joined name. Returns
 * them best first. Among names, one that begins with the query wins, then the larger company or fund. `matches` counts
 * all matches, up to 200 of each kind.
 */
export async function searchTickers(
  sql: ServiceSql,
  { symbols, aliasSymbols, isin, words, joined, bonds }: SearchTerms,
  limit: number,
): Promise<{ found: TickerRow[]; matches: number }> {
  const rows = await sql.query<TickerRow & { matches: number }>(
    `with found as (
       select b.* from unnest($1::text[]) s (symbol) cross join lateral
         (select ${TICKER_COLUMNS}, ${SIZE_EXPRESSION} as size, case when t.symbol = s.symbol then 0 else 1 end as rank
            from public.tracked_tickers_latest t
           where t.symbol ~>=~ s.symbol and t.symbol ~<~ (s.symbol || '~')
           order by t.symbol limit ${MAX_MATCHES}) b
       union all
       (select ${TICKER_COLUMNS}, ${SIZE_EXPRESSION}, 0 from public.tracked_tickers_latest t where t.isin = $3::text)
       union all
       (select ${TICKER_COLUMNS}, ${SIZE_EXPRESSION}, 0 from public.tracked_tickers_latest t where t.symbol = any($2::text[]))
       union all
       (select ${TICKER_COLUMNS}, ${SIZE_EXPRESSION}, 2
          from public.tracked_tickers_latest t
         where $5::text is not null and ${JOINED_NAME} ~>=~ $5 and ${JOINED_NAME} ~<~ ($5 || '~')
         order by ${JOINED_NAME} using ~<~ limit ${MAX_MATCHES})
       union all
       (select ${TICKER_COLUMNS}, ${SIZE_EXPRESSION}, 3
          from public.tracked_tickers_latest t
         where $4::text is not null and ${NAME_VECTOR} @@ to_tsquery('simple', $4)
         order by ${SIZE_EXPRESSION} desc nulls last, t.symbol limit ${MAX_MATCHES})
     ), best_matches as (
       select distinct on (f.symbol) f.* from found f where $6 or f.asset_type <> 'bond' order by f.symbol, f.rank
     )
     select ${TICKER_COLUMNS}, count(*) over ()::int as matches from best_matches t
      order by t.rank, case when t.rank >= 2 then t.size end desc nulls last,
               array_position($2::text[], t.symbol), t.symbol limit $7`,
    [symbols, aliasSymbols, isin, words, joined, bonds, limit],
  );
  return { found: rows.map(({ matches: _, ...row }) => row), matches: rows[0]?.matches ?? 0 };
}
