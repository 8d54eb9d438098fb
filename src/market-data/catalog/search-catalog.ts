import type { Listing } from '../providers/port.ts';
import { searchTickers, type TickerRow } from './catalog-queries.ts';
import { newTicker } from './new-ticker.ts';
import { isNeverListed, normaliseSymbol, spellingsOf } from './normalise-symbol.ts';
import type { MarketContext } from '../market-context.ts';

const PROVIDER_MS = 1_500;
const KEEP_MS = 10 * 60_000;

/** `whole`: every provider that was to be asked has answered. */
interface Found {
  whole: boolean;
  listings: TickerRow[];
}

/** The query as a prefix search over words: `van bond` becomes `van:* & bond:*`; `null` where it holds no word. */
function prefixWords(query: string): string | null {
  const words =
    query
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.slice(0, 6) ?? [];
  return words.length === 0 ? null : words.map((word) => `${word}:*`).join(' & ');
}

/**
 * Listings for a query: the catalog first. Where it has few and the provider has more to say than the catalog holds
 * (the simulator has not), the provider is asked too, once in ten minutes for the same words.
 */
export function createSearch({ sql, asking, askOnce, simulated }: MarketContext) {
  const ask = async (query: string): Promise<Found> => {
    const answer = await asking.ask('search', (provider) =>
      provider.search(query, 20, AbortSignal.timeout(PROVIDER_MS)),
    );
    if (!answer.ok) return { whole: false, listings: [] };
    const ours = answer.value.filter(({ symbol }) => normaliseSymbol(symbol) === symbol && !isNeverListed(symbol));
    return { whole: !answer.rest, listings: ours.map(listed) };
  };
  const fromProvider = (query: string): Promise<Found> =>
    askOnce({ name: `search:${query}`, ask: () => ask(query), keepFor: ({ whole }) => (whole ? KEEP_MS : 0) });

  return async function search(text: string, limit: number): Promise<TickerRow[]> {
    const query = text.trim().slice(0, 64);
    if (query === '') return [];
    // A bond of the sample data would never get a price.
    const offered = ({ asset_type: kind }: TickerRow): boolean => kind !== 'bond' || asking.able('bonds').length > 0;
    const ours = (await searchTickers(sql, query, spellingsOf(query), prefixWords(query), limit)).filter(offered);
    if (simulated || ours.length >= limit || query.length < 2) return ours;
    const known = new Set(ours.map(({ symbol }) => symbol));
    const theirs = (await fromProvider(query.toLowerCase())).listings.filter(({ symbol }) => !known.has(symbol));
    return [...ours, ...theirs].slice(0, limit);
  };
}

/** A provider's listing as the catalog shows it. */
function listed(listing: Listing): TickerRow {
  const { declared_unit: _unit, logo_address: _address, market_cap: _cap, ...ticker } = newTicker(listing);
  return ticker;
}
