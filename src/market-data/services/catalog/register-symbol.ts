import { DEFAULT_BACKOFF_MS } from '../../providers/chain/backoff.ts';
import type { ProviderChain } from '../../providers/chain/provider-chain.ts';
import { ENTITLEMENT_RETRY_MS } from '../../providers/http/provider-http-client.ts';
import { toIsin } from '../../domain/bond-identifier.ts';
import { loadSpelling } from './catalog-spelling.ts';
import { findTicker, type IdentifiedTicker, insertTickers } from './catalog-queries.ts';
import { toNewTicker } from './new-ticker.ts';
import { toSeparatedClass, isCoin, isNeverListed, normalizeSymbol } from '../../domain/normalize-symbol.ts';
import type { ProviderResult, Listing, ProviderError } from '../../domain/market-data-provider.ts';
import type { MarketContext } from '../shared/market-context.ts';

/** `retryAfter` is the known number of seconds until an `unavailable` symbol can be looked up. */
export type RegistrationFailure = {
  ok: false;
  reason: 'unknown' | 'unsupported' | 'unavailable';
  retryAfter?: number | undefined;
  /** Set if a reason other than being a coin makes the symbol `unsupported`. */
  detail?: 'no_bond_feed' | undefined;
};
export type Registration = { ok: true; ticker: IdentifiedTicker } | RegistrationFailure;
type Registered = { ok: true; ticker: IdentifiedTicker; isNew: boolean } | RegistrationFailure;
type LookupResult = { ok: true; listing: Listing } | RegistrationFailure;

const LOOKUP_TIMEOUT_MS = 3_000;
/** TTL of an answer in ms. An import looks its symbols up for the preview and again for the import itself. */
const CACHE_TTL_MS = 10 * 60_000;

export function createRegistration(
  { sql, providers, singleFlight }: Pick<MarketContext, 'sql' | 'providers' | 'singleFlight'>,
  clock: () => number = Date.now,
) {
  const lookUpCached = (symbol: string): Promise<LookupResult> =>
    singleFlight({
      key: `lookup:${symbol}`,
      call: () => lookUpWithProviders(providers, symbol, clock),
      ttlMs: (answer) => (answer.ok || answer.reason !== 'unavailable' ? CACHE_TTL_MS : 0),
    });

  const findOrLookUp = async (text: string): Promise<{ ok: true; ticker: IdentifiedTicker } | LookupResult> => {
    const typed = normalizeSymbol(text);
    if (typed === undefined) return { ok: false, reason: 'unknown' };
    const symbol = (await loadSpelling(sql, [typed])).toCatalogSymbol(typed);
    const ticker = await findTicker(sql, symbol);
    if (ticker) return { ok: true, ticker };
    const answer = await lookUpCached(symbol);
    const separatedClass = toSeparatedClass(symbol);
    const isUnknown = !answer.ok && answer.reason === 'unknown';
    return isUnknown && separatedClass !== undefined ? lookUpCached(separatedClass) : answer;
  };

  /** Returns the row that `register` would create, without creating it. The answer is cached for a later `register`. */
  const lookUpTicker = async (text: string): Promise<Registration> => {
    const found = await findOrLookUp(text);
    if (!found.ok) return found;
    return { ok: true, ticker: 'ticker' in found ? found.ticker : toNewTicker(found.listing) };
  };

  return {
    lookUpTicker,
    /** Returns the symbol of the row that `register` would create. */
    async lookUp(text: string): Promise<{ ok: true; symbol: string } | RegistrationFailure> {
      const found = await lookUpTicker(text);
      return found.ok ? { ok: true, symbol: found.ticker.symbol } : found;
    },
    /** Returns the catalog row of a symbol and creates it from a provider's answer if it is missing. */
    async register(text: string): Promise<Registered> {
      const found = await findOrLookUp(text);
      if (!found.ok) return found;
      if ('ticker' in found) return { ...found, isNew: false };
      const createdRows = await insertTickers(sql, [toNewTicker(found.listing)]);
      const ticker = await findTicker(sql, found.listing.symbol);
      return ticker ? { ok: true, ticker, isNew: createdRows.length > 0 } : { ok: false, reason: 'unavailable' };
    },
  };
}

/**
 * Looks up a symbol. The ISIN of a share is resolved to the provider's symbol first. Any other identifier belongs to a
 * bond.
 */
async function lookUpWithProviders(
  providers: ProviderChain,
  symbol: string,
  clock: () => number,
): Promise<LookupResult> {
  if (isNeverListed(symbol)) return { ok: false, reason: 'unsupported' };
  const isBond = toIsin(symbol) !== undefined;
  if (toIsin(symbol) === symbol) {
    const share = await providers.call(
      'lookup',
      (provider) => provider.findSymbolByIsin!(symbol, AbortSignal.timeout(LOOKUP_TIMEOUT_MS)),
      { supports: (provider) => provider.findSymbolByIsin !== undefined },
    );
    const found = share.ok ? normalizeSymbol(share.value) : undefined;
    if (found !== undefined && toIsin(found) === undefined) {
      const answer = await lookUpWithProviders(providers, found, clock);
      return answer.ok ? { ok: true, listing: { ...answer.listing, isin: symbol } } : answer;
    }
    if (!share.ok && share.reason !== 'unknown' && share.reason !== 'unsupported' && share.reason !== 'not_entitled')
      return { ok: false, reason: 'unavailable', retryAfter: await getRetryAfter(providers, share, clock) };
  }
  const answer = await providers.call(
    isBond ? 'bonds' : 'lookup',
    async (provider): Promise<ProviderResult<Listing>> => {
      const found = await provider.lookup(symbol, AbortSignal.timeout(LOOKUP_TIMEOUT_MS));
      // A listing needs a name to be recognized and a currency for its prices. The next provider may have both.
      return found.ok && !isComplete(found.value) ? { ok: false, reason: 'unknown' } : found;
    },
  );
  // The provider's spelling may differ. The row uses the requested symbol in our normalized spelling.
  if (answer.ok) return { ok: true, listing: { ...answer.value, symbol } };
  if (answer.reason === 'unsupported') return { ok: false, reason: 'unsupported' };
  if (isBond && answer.reason === 'not_entitled') return { ok: false, reason: 'unsupported', detail: 'no_bond_feed' };
  if (answer.reason !== 'unknown')
    return { ok: false, reason: 'unavailable', retryAfter: await getRetryAfter(providers, answer, clock) };
  return { ok: false, reason: isCoin(symbol) ? 'unsupported' : 'unknown' };
}

/** Returns whether a listing has a name and a currency. */
function isComplete(listing: Listing): boolean {
  const { name, currency } = toNewTicker(listing);
  return name !== null && currency !== null;
}

/** Returns the seconds until a provider accepts such a call again, from its Retry-After or from our quota. */
async function getRetryAfter(
  providers: ProviderChain,
  error: ProviderError,
  clock: () => number,
): Promise<number | undefined> {
  switch (error.reason) {
    case 'rate_limited':
      return error.retryAfter ?? DEFAULT_BACKOFF_MS / 1_000;
    case 'not_entitled':
      return error.retryAfter ?? ENTITLEMENT_RETRY_MS / 1_000;
    case 'quota_exhausted':
      // If the daily quota has calls left, the quota of the minute is exhausted.
      return (await providers.secondsUntilDailyQuota('lookup', 'listing')) ?? 60 - ((clock() / 1_000) % 60);
    default:
      return undefined;
  }
}
