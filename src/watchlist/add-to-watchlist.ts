import { readSymbol } from '../market-data/catalog/catalog-spelling.ts';
import { renamedFrom } from '../market-data/catalog/normalise-symbol.ts';
import type { OverLookUps } from '../market-data/catalog/limit-look-ups.ts';
import type { RequestContext } from './context.ts';
import type { WatchlistItem, WatchlistTier } from './contract.ts';
import { addCandidate, addItem, type ListHead, readList } from './queries.ts';
import { completeItem, readMarketBySymbol, withMarket } from './read-market.ts';

export type Added =
  | { ok: true; item: WatchlistItem; renamedFrom?: string | undefined }
  | { ok: false; reason: 'tier_unavailable' | 'unknown' | 'changing' }
  | { ok: false; reason: 'unsupported'; detail?: 'no_bond_feed' | undefined }
  | { ok: false; reason: 'unavailable'; retryAfter?: number | undefined }
  | OverLookUps
  | { ok: false; reason: 'already_watched'; item: WatchlistItem }
  | { ok: false; reason: 'limit_reached'; limit: number; tier: WatchlistTier };

interface Wanted {
  /** As the member wrote it. */
  symbol: string;
  position?: number | undefined;
}

/**
 * Adds a symbol, in this order: tier, duplicates and limit, catalog, the locked function. Nothing is registered for a
 * member whose tier is unknown, whose list is full or who has the symbol already. The backfill is the caller's, after
 * the response. A symbol of the catalog takes one round trip that does all four, beside what the answer shows of the
 * market.
 */
export async function addToWatchlist(context: RequestContext, wanted: Wanted): Promise<Added> {
  const { deps, member } = context;
  const symbol = await readSymbol(context.sql, wanted.symbol);
  if (symbol === undefined)
    return { ok: false, reason: (await deps.tierOf(member.idpId)).ok ? 'unknown' : 'tier_unavailable' };
  const added = await addSymbol(context, symbol, wanted.position);
  return added.ok ? { ...added, renamedFrom: renamedFrom(wanted.symbol, added.item.symbol) } : added;
}

async function addSymbol(context: RequestContext, symbol: string, position: number | undefined): Promise<Added> {
  const { deps, member } = context;
  const service = deps.database.serviceFor(member.idpId);
  // The add first: it is what the answer waits for longest.
  const [adding, market] = [
    tried(context, addCandidate(service, member.idpId, symbol, position)),
    readMarketBySymbol(context, symbol),
  ];
  const attempt = await adding;
  if ('reason' in attempt) return attempt.reason === 'duplicate' ? alreadyWatched(context, symbol) : attempt;
  const { found, placed } = attempt;
  if (found.watched) return alreadyWatched(context, symbol);
  if (found.item_count >= found.watchlist_limit) return limitReached(found);

  if (found.ticker_id === null) {
    const registered = await deps.lookUp(member.idpId, symbol, (unknown) => deps.market.registerSymbol(unknown));
    if (!registered.ok) return registered;
    // An ISIN or another spelling is registered under the listing's own symbol.
    const { symbol: listed } = registered.ticker;
    const added = await tried(context, addItem(service, member.idpId, listed, position));
    if ('reason' in added) return added.reason === 'duplicate' ? alreadyWatched(context, listed) : added;
    const row = await readRow(context, listed);
    // Another request removed it again right behind the add.
    return row ? { ok: true, item: await completeItem(context, row) } : { ok: false, reason: 'changing' };
  }
  if (placed && position === undefined) {
    // At the end of the list the new row's place is the list's length; elsewhere, and for a new ticker, what stands now
    // is read.
    const row = { ...found, ...placed, locked: false };
    return { ok: true, item: withMarket(row, (await market)(row)) };
  }
  const row = await readRow(context, symbol);
  if (!row) return { ok: false, reason: 'changing' };
  return { ok: true, item: withMarket(row, (await market)(row)) };
}

function limitReached({ tier, watchlist_limit: limit }: Pick<ListHead, 'tier' | 'watchlist_limit'>) {
  return { ok: false, reason: 'limit_reached', limit, tier } as const;
}

async function alreadyWatched(context: RequestContext, symbol: string): Promise<Added> {
  const row = await readRow(context, symbol);
  if (!row) return { ok: false, reason: 'changing' };
  return { ok: false, reason: 'already_watched', item: await completeItem(context, row) };
}

const readRow = async ({ sql, member }: RequestContext, symbol: string) =>
  (await readList(sql, member.idpId, { rows: { symbol } }))?.rows[0];

const unknownTier = { ok: false, reason: 'tier_unavailable' } as const;
type Refused = typeof unknownTier | ReturnType<typeof limitReached> | { ok: false; reason: 'duplicate' };

/**
 * What an add came to. The database has the last word: it counts under the member's lock, and says so by an error where
 * another add was faster. Any other failure is the tier's where the tier is what cannot be read.
 */
async function tried<T extends object>(
  { deps, member }: RequestContext,
  adding: Promise<T | undefined>,
): Promise<T | Refused> {
  try {
    return (await adding) ?? unknownTier;
  } catch (error) {
    const { message } = error as Error;
    if (message === 'watchlist_duplicate') return { ok: false, reason: 'duplicate' };
    const now = await deps.tierOf(member.idpId);
    if (!now.ok) return unknownTier;
    // Lost a race against other adds or a downgrade: the limit that was enforced is the one of now.
    if (message === 'watchlist_limit_reached') return limitReached(now);
    throw error;
  }
}
