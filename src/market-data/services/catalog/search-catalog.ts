import type { Listing } from '../../domain/market-data-provider.ts';
import { toIsin } from '../../domain/bond-identifier.ts';
import { searchTickers, type SearchTerms, type TickerRow } from './catalog-queries.ts';
import { findSuccessorSymbol, getSymbolsByAlias } from '../../domain/former-symbols.ts';
import { toNewTicker } from './new-ticker.ts';
import { isNeverListed, normalizeSymbol, toPlainText, listSpellings } from '../../domain/normalize-symbol.ts';
import type { MarketContext } from '../shared/market-context.ts';

const PROVIDER_TIMEOUT_MS = 1_500;
const CACHE_TTL_MS = 10 * 60_000;
const MAX_WORDS = 6;
/** Minimum length of a query that is matched against names without spaces. */
const MIN_JOINED_LENGTH = 3;

/** `whole` is true if every relevant provider responded. */
interface ProviderHits {
  isComplete: boolean;
  listings: TickerRow[];
}

/** Hits of a search, best first. `more` is the minimum number of further matches. */
export interface CatalogSearchResult {
  hits: TickerRow[];
  more: number;
}

const NAME_MARKS = /[\p{M}'’.&]/gu;

/**
 * Converts the query to a search for word prefixes: `van bond` becomes `van:* & bond:*`, `sp500` also `sp:* & 500:*`.
 * Returns null if the query contains no word.
 */
function toPrefixQuery(query: string): string | null {
  const foldedWords =
    query
      .normalize('NFKD')
      .replace(NAME_MARKS, '')
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const originalWords = query.replace(/['’.&]/g, '').match(/[\p{L}\p{N}]+/gu) ?? [];
  const search = (words: readonly string[]): string =>
    words
      .slice(0, MAX_WORDS)
      .map((word) => {
        const parts = /^([a-z]{2,})(\d+)$/.exec(word);
        return parts ? `(${word}:* | (${parts[1]}:* & ${parts[2]}:*))` : `${word}:*`;
      })
      .join(' & ');
  if (originalWords.length === 0) return null;
  const first = search(originalWords);
  const second = search(foldedWords);
  return first === second || second === '' ? first : `(${first}) | (${second})`;
}

/** Returns the query as the catalog joins names: ASCII letters and digits only, without a leading "the". */
const toJoinedName = (query: string): string => query.normalize('NFKD').replace(/^the |[^a-z0-9]+/g, '');

function toSearchTerms(text: string, bonds: boolean): SearchTerms {
  const query = toPlainText(text).toLowerCase();
  const symbols = listSpellings(text);
  const [symbol] = symbols;
  const joined = toJoinedName(query);
  return {
    symbols,
    aliasSymbols: [
      ...(symbol === undefined ? [] : [findSuccessorSymbol(symbol) ?? []].flat()),
      ...getSymbolsByAlias(joined),
    ],
    isin: symbol !== undefined && symbol.length === 12 ? (toIsin(symbol) ?? null) : null,
    words: toPrefixQuery(query),
    joined: joined.length < MIN_JOINED_LENGTH ? null : joined,
    bonds,
  };
}

/**
 * Creates the search: the catalog first, then the provider if the catalog has few hits. The simulator is never called,
 * because the catalog holds all its listings. Results of a provider are cached for ten minutes by query.
 */
export function createSearch({ sql, providers, singleFlight, simulated }: MarketContext) {
  const searchProviders = async (query: string): Promise<ProviderHits> => {
    const answer = await providers.call('search', (provider) =>
      provider.search(query, 20, AbortSignal.timeout(PROVIDER_TIMEOUT_MS)),
    );
    if (!answer.ok) return { isComplete: false, listings: [] };
    const supportedListings = answer.value.filter(
      ({ symbol }) => normalizeSymbol(symbol) === symbol && !isNeverListed(symbol),
    );
    return { isComplete: !answer.stoppedBy, listings: supportedListings.map(toTickerRow) };
  };
  const searchCached = (query: string): Promise<ProviderHits> =>
    singleFlight({
      key: `search:${query}`,
      call: () => searchProviders(query),
      ttlMs: ({ isComplete }) => (isComplete ? CACHE_TTL_MS : 0),
    });

  return async function search(text: string, limit: number): Promise<CatalogSearchResult> {
    const query = toPlainText(text).slice(0, 64);
    if (query === '') return { hits: [], more: 0 };
    // A bond of the sample data would never get a price.
    const terms = toSearchTerms(query, providers.available('bonds').length > 0);
    const { found: catalogHits, matches } = await searchTickers(sql, terms, limit);
    if (simulated || catalogHits.length >= limit || query.length < 2)
      return { hits: catalogHits, more: matches - catalogHits.length };
    const catalogSymbols = new Set(catalogHits.map(({ symbol }) => symbol));
    // Providers find a listing by its own symbol, not by the spelling of another program.
    const providerQuery = terms.words === null || /[:/]/.test(query) ? (terms.symbols.at(-1) ?? query) : query;
    const providerHits = (await searchCached(providerQuery.toLowerCase())).listings.filter(
      ({ symbol }) => !catalogSymbols.has(symbol),
    );
    const all = [...catalogHits, ...providerHits];
    return { hits: all.slice(0, limit), more: Math.max(0, all.length - limit) };
  };
}

/** Converts a provider's listing to a catalog row for display. */
function toTickerRow(listing: Listing): TickerRow {
  const { symbol, asset_type, name, exchange, currency, logo, logo_source } = toNewTicker(listing);
  return { symbol, asset_type, name, exchange, currency, logo, logo_source };
}
