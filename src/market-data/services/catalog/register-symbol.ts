import { DEFAULT_BACKOFF_MS } from '../../providers/chain/backoff.ts';
import type { ProviderChain } from '../../providers/chain/provider-chain.ts';
import { PLAN_MS } from '../../providers/http/provider-http-client.ts';
import { isinOf } from '../../domain/bond-identifier.ts';
import { readSpelling } from './catalog-spelling.ts';
import { findTicker, insertTickers, type TickerRow } from './catalog-queries.ts';
import { newTicker } from './new-ticker.ts';
import { classWithoutMark, isCoin, isNeverListed, normaliseSymbol } from '../../domain/normalise-symbol.ts';
import type { Answer, Listing, Refusal } from '../../domain/market-data-provider.ts';
import type { MarketContext } from '../shared/market-context.ts';

/** `retryAfter`: seconds after which one that is `unavailable` can be looked up, where that is known. */
export type Unregistered = {
  ok: false;
  reason: 'unknown' | 'unsupported' | 'unavailable';
  retryAfter?: number | undefined;
  /** Why it is `unsupported`, where that is not that it is a coin. */
  detail?: 'no_bond_feed' | undefined;
};
export type Registration = { ok: true; ticker: TickerRow } | Unregistered;
type Registered = { ok: true; ticker: TickerRow; isNew: boolean } | Unregistered;
type LookupAnswer = { ok: true; listing: Listing } | Unregistered;

/** What members read whom a bond is refused. */
export const NO_BOND_FEED = 'No feed for bonds is configured here, so that none can be added.';

const LOOKUP_MS = 3_000;
/** An answer is kept for this time: an import looks its symbols up for the preview and again for the import itself. */
const KEPT_MS = 10 * 60_000;

export function createRegistration(
  { sql, providers, singleFlight }: Pick<MarketContext, 'sql' | 'providers' | 'singleFlight'>,
  clock: () => number = Date.now,
) {
  const ask = (symbol: string): Promise<LookupAnswer> =>
    singleFlight({
      key: `lookup:${symbol}`,
      call: () => askProviders(providers, symbol, clock),
      ttlMs: (answer) => (answer.ok || answer.reason !== 'unavailable' ? KEPT_MS : 0),
    });

  const find = async (text: string): Promise<{ ok: true; ticker: TickerRow } | LookupAnswer> => {
    const typed = normaliseSymbol(text);
    if (typed === undefined) return { ok: false, reason: 'unknown' };
    const symbol = (await readSpelling(sql, [typed])).of(typed);
    const ticker = await findTicker(sql, symbol);
    if (ticker) return { ok: true, ticker };
    const answer = await ask(symbol);
    const marked = classWithoutMark(symbol);
    const isUnknown = !answer.ok && answer.reason === 'unknown';
    return isUnknown && marked !== undefined ? ask(marked) : answer;
  };

  return {
    /** The symbol that `register` would make a row of, without making it; the answer is kept for a later `register`. */
    async lookUp(text: string): Promise<{ ok: true; symbol: string } | Unregistered> {
      const found = await find(text);
      if (!found.ok) return found;
      return { ok: true, symbol: 'ticker' in found ? found.ticker.symbol : found.listing.symbol };
    },
    /** Returns the catalog's row of a symbol, made from a provider's answer where it is missing. */
    async register(text: string): Promise<Registered> {
      const found = await find(text);
      if (!found.ok) return found;
      if ('ticker' in found) return { ...found, isNew: false };
      const made = await insertTickers(sql, [newTicker(found.listing)]);
      const ticker = await findTicker(sql, found.listing.symbol);
      return ticker ? { ok: true, ticker, isNew: made.length > 0 } : { ok: false, reason: 'unavailable' };
    },
  };
}

/** Looks up an ISIN of a share by the symbol that a provider gives for it; any other identifier is a bond's. */
async function askProviders(providers: ProviderChain, symbol: string, clock: () => number): Promise<LookupAnswer> {
  if (isNeverListed(symbol)) return { ok: false, reason: 'unsupported' };
  const isBond = isinOf(symbol) !== undefined;
  if (isinOf(symbol) === symbol) {
    const share = await providers.call(
      'lookup',
      (provider) => provider.symbolOf!(symbol, AbortSignal.timeout(LOOKUP_MS)),
      { supports: (provider) => provider.symbolOf !== undefined },
    );
    const found = share.ok ? normaliseSymbol(share.value) : undefined;
    if (found !== undefined && isinOf(found) === undefined) {
      const answer = await askProviders(providers, found, clock);
      return answer.ok ? { ok: true, listing: { ...answer.listing, isin: symbol } } : answer;
    }
    if (!share.ok && share.reason !== 'unknown' && share.reason !== 'unsupported' && share.reason !== 'not_entitled')
      return { ok: false, reason: 'unavailable', retryAfter: await waitOf(providers, share, clock) };
  }
  const answer = await providers.call(isBond ? 'bonds' : 'lookup', async (provider): Promise<Answer<Listing>> => {
    const found = await provider.lookup(symbol, AbortSignal.timeout(LOOKUP_MS));
    // Without a name nobody can tell what it is, without a currency no price of it is taken: the next one may know.
    return found.ok && !isWhole(found.value) ? { ok: false, reason: 'unknown' } : found;
  });
  // The provider's own spelling might differ; the row is made under the symbol that was asked for and normalised by us.
  if (answer.ok) return { ok: true, listing: { ...answer.value, symbol } };
  if (answer.reason === 'unsupported') return { ok: false, reason: 'unsupported' };
  if (isBond && answer.reason === 'not_entitled') return { ok: false, reason: 'unsupported', detail: 'no_bond_feed' };
  if (answer.reason !== 'unknown')
    return { ok: false, reason: 'unavailable', retryAfter: await waitOf(providers, answer, clock) };
  return { ok: false, reason: isCoin(symbol) ? 'unsupported' : 'unknown' };
}

/** Whether a listing says what it is and in what it is priced. */
function isWhole(listing: Listing): boolean {
  const { name, currency } = newTicker(listing);
  return name !== null && currency !== null;
}

/** Seconds until a provider takes such a question again, as it said itself or as our budget has it. */
async function waitOf(providers: ProviderChain, refusal: Refusal, clock: () => number): Promise<number | undefined> {
  switch (refusal.reason) {
    case 'rate_limited':
      return refusal.retryAfter ?? DEFAULT_BACKOFF_MS / 1_000;
    case 'not_entitled':
      return refusal.retryAfter ?? PLAN_MS / 1_000;
    case 'budget':
      // Where the day has calls left, it is the minute that has none.
      return (await providers.secondsUntilDailyQuota('lookup', 'listing')) ?? 60 - ((clock() / 1_000) % 60);
    default:
      return undefined;
  }
}
