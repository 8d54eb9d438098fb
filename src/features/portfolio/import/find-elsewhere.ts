import { listSymbolsInCurrency, removeSuffix } from '../../../market-data/domain/exchange-codes.ts';
import { selectListings } from '../../../market-data/services/catalog/catalog-queries.ts';
import type { ServiceSql } from '../../../platform/database/roles.ts';
import type { Listing, SearchListings } from './listings.ts';
import { fitsIsin } from './match-security.ts';
import type { Security } from './read-securities.ts';

/** Reads the listings that the symbols have at the exchanges of their currencies, the largest exchange first. */
export async function readListingsElsewhere(
  sql: ServiceSql,
  securities: readonly Security[],
): Promise<ReadonlyMap<Security, readonly Listing[]>> {
  const symbolsBySecurity = new Map(securities.map((security) => [security, listSymbolsElsewhere(security)] as const));
  const symbols = [...new Set([...symbolsBySecurity.values()].flat())];
  const listings = symbols.length === 0 ? [] : await selectListings(sql, { symbols, isins: [] });
  const bySymbol = new Map(listings.map((listing) => [listing.symbol, listing]));
  const findListings = (security: Security, listed: readonly string[]): Listing[] =>
    listed
      .flatMap((symbol) => bySymbol.get(symbol) ?? [])
      .filter((listing) => listing.currency === security.currency && fitsIsin(listing, security.isin));
  return new Map([...symbolsBySecurity].map(([security, listed]) => [security, findListings(security, listed)]));
}

const listSymbolsElsewhere = ({ symbol, currency }: Security): string[] =>
  symbol === undefined || currency === null ? [] : listSymbolsInCurrency(symbol, currency);

/**
 * Searches the security in its currency, by ISIN or symbol. Returns undefined if it has no such listing, or if only a
 * name could tell several companies apart.
 */
export async function searchInCurrency(
  security: Security,
  search: SearchListings,
  elsewhere: readonly Listing[],
): Promise<Listing | undefined> {
  const { isin, symbol, currency } = security;
  const hits = (await search(isin ?? symbol!)).filter((hit) => hit.currency === currency);
  const sameSymbol = hits.filter((hit) => symbol !== undefined && removeSuffix(hit.symbol) === removeSuffix(symbol));
  if (isin !== undefined) return sameSymbol[0] ?? hits[0];
  const listings = [...elsewhere, ...sameSymbol];
  const isOne = new Set(listings.map((listing) => listing.symbol)).size === 1;
  return chooseByName(security, listings) ?? (isOne && security.name === null ? listings[0] : undefined);
}

/** Words in the names of many companies and funds. */
const COMMON_WORDS: ReadonlySet<string> = new Set(
  'class corp company etf fund funds group holding holdings inc index limited ltd plc shares stock trust ucits'.split(
    ' ',
  ),
);

const listWords = (name: string | null): string[] =>
  (name?.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).filter((word) => !COMMON_WORDS.has(word));

/** Returns the first listing whose name has a word of the file's name, since another company may have the symbol. */
export function chooseByName({ name }: Security, listings: readonly Listing[]): Listing | undefined {
  const words = new Set(listWords(name));
  return listings.find((listing) => listWords(listing.name).some((word) => words.has(word)));
}
