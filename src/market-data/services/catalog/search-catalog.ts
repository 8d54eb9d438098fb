import type { Listing } from '../../domain/market-data-provider.ts';
import { isinOf } from '../../domain/bond-identifier.ts';
import { searchTickers, type SearchTerms, type TickerRow } from './catalog-queries.ts';
import { successorOf, symbolsKnownAs } from '../../domain/former-symbols.ts';
import { newTicker } from './new-ticker.ts';
import { isNeverListed, normaliseSymbol, plainTyped, spellingsOf } from '../../domain/normalise-symbol.ts';
import type { MarketContext } from '../shared/market-context.ts';

const PROVIDER_MS = 1_500;
const KEEP_MS = 10 * 60_000;
const MOST_WORDS = 6;
/** Shorter queries are no beginning of a name that is written as one word. */
const SHORTEST_JOINED = 3;

/** `whole`: every provider that was to be asked has answered. */
interface Answered {
  whole: boolean;
  listings: TickerRow[];
}

/** What a search finds, best first. `more`: at least so many match beside these. */
export interface Found {
  hits: TickerRow[];
  more: number;
}

const MARKS = /[\p{M}'’.&]/gu;

/**
 * The query as a search for the beginnings of words: `van bond` becomes `van:* & bond:*`, `sp500` also `sp:* & 500:*`;
 * null where it holds no word.
 */
function prefixWords(query: string): string | null {
  const folded =
    query
      .normalize('NFKD')
      .replace(MARKS, '')
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const written = query.replace(/['’.&]/g, '').match(/[\p{L}\p{N}]+/gu) ?? [];
  const search = (words: readonly string[]): string =>
    words
      .slice(0, MOST_WORDS)
      .map((word) => {
        const parts = /^([a-z]{2,})(\d+)$/.exec(word);
        return parts ? `(${word}:* | (${parts[1]}:* & ${parts[2]}:*))` : `${word}:*`;
      })
      .join(' & ');
  if (written.length === 0) return null;
  const [first, second] = [search(written), search(folded)];
  return first === second || second === '' ? first : `(${first}) | (${second})`;
}

/** A query as the catalog joins names: letters and digits of ASCII alone, without a leading "the". */
const joinedName = (query: string): string => query.normalize('NFKD').replace(/^the |[^a-z0-9]+/g, '');

function termsOf(text: string, bonds: boolean): SearchTerms {
  const query = plainTyped(text).toLowerCase();
  const symbols = spellingsOf(text);
  const [symbol] = symbols;
  const joined = joinedName(query);
  return {
    symbols,
    knownAs: [...(symbol === undefined ? [] : [successorOf(symbol) ?? []].flat()), ...symbolsKnownAs(joined)],
    isin: symbol !== undefined && symbol.length === 12 ? (isinOf(symbol) ?? null) : null,
    words: prefixWords(query),
    joined: joined.length < SHORTEST_JOINED ? null : joined,
    bonds,
  };
}

/**
 * Listings for a query: the catalog first. Where it has few and the provider has more to say than the catalog holds
 * (the simulator has not), the provider is asked too, once in ten minutes for the same words.
 */
export function createSearch({ sql, providers, singleFlight, simulated }: MarketContext) {
  const ask = async (query: string): Promise<Answered> => {
    const answer = await providers.call('search', (provider) =>
      provider.search(query, 20, AbortSignal.timeout(PROVIDER_MS)),
    );
    if (!answer.ok) return { whole: false, listings: [] };
    const ours = answer.value.filter(({ symbol }) => normaliseSymbol(symbol) === symbol && !isNeverListed(symbol));
    return { whole: !answer.rest, listings: ours.map(listed) };
  };
  const fromProvider = (query: string): Promise<Answered> =>
    singleFlight({ key: `search:${query}`, call: () => ask(query), ttlMs: ({ whole }) => (whole ? KEEP_MS : 0) });

  return async function search(text: string, limit: number): Promise<Found> {
    const query = plainTyped(text).slice(0, 64);
    if (query === '') return { hits: [], more: 0 };
    // A bond of the sample data would never get a price.
    const terms = termsOf(query, providers.available('bonds').length > 0);
    const { found: ours, matches } = await searchTickers(sql, terms, limit);
    if (simulated || ours.length >= limit || query.length < 2) return { hits: ours, more: matches - ours.length };
    const known = new Set(ours.map(({ symbol }) => symbol));
    // A provider knows a listing by its symbol, not by another program's spelling of it.
    const words = terms.words === null || /[:/]/.test(query) ? (terms.symbols.at(-1) ?? query) : query;
    const theirs = (await fromProvider(words.toLowerCase())).listings.filter(({ symbol }) => !known.has(symbol));
    const all = [...ours, ...theirs];
    return { hits: all.slice(0, limit), more: Math.max(0, all.length - limit) };
  };
}

/** A provider's listing as the catalog shows it. */
function listed(listing: Listing): TickerRow {
  const { symbol, asset_type, name, exchange, currency, logo, logo_source } = newTicker(listing);
  return { symbol, asset_type, name, exchange, currency, logo, logo_source };
}
