import { readSymbol } from '../market-data/catalog-spelling.ts';
import type { Asked } from './context.ts';
import type { ListState, WatchlistItem, WatchlistTier } from './contract.ts';
import { stateOf } from './list-watchlist.ts';
import { needTier } from './need-tier.ts';
import type { PlacedRow } from './queries.ts';
import { addItem, readCandidate } from './queries.ts';
import { completeItem, readMarketBySymbol, readRow, withMarket } from './read-item.ts';

export type Added =
  | { ok: true; item: WatchlistItem; state: ListState }
  | { ok: false; reason: 'tier_unavailable' | 'unknown' | 'unsupported' | 'unavailable' | 'changing' }
  | { ok: false; reason: 'already_watched'; item: WatchlistItem }
  | { ok: false; reason: 'limit_reached'; limit: number; tier: WatchlistTier };

/**
 * Adds a symbol, in the specification's order: tier, duplicates and limit, catalog, the locked function. Nothing is registered for a
 * member whose tier is unknown, whose list is full or who has the symbol already. The backfill is the caller's, after the response.
 * A symbol of the catalog takes two round trips: all that decides and what the answer shows of the market, then the add alone.
 */
export async function addToWatchlist(asked: Asked, wanted: { symbol: string; position?: number | undefined }): Promise<Added> {
  const { deps, member, sql } = asked;
  const symbol = await readSymbol(sql, wanted.symbol);
  // Both only read, so they need not wait for each other; the tier has the first word all the same, also where both fail.
  const reading = symbol === undefined ? undefined : readCandidate(sql, member.idpId, symbol);
  reading?.catch(() => {}); // looked at below, once the tier is known
  const market = symbol === undefined ? undefined : readMarketBySymbol(asked, symbol);
  const tier = await deps.tierOf(member.idpId);
  if (!tier.ok) return { ok: false, reason: 'tier_unavailable' };

  if (symbol === undefined || !reading || !market) return { ok: false, reason: 'unknown' };
  const before = await needTier(asked, reading);
  if (!before) return { ok: false, reason: 'tier_unavailable' };
  const { head, candidate } = before;
  if (before.watched) return alreadyWatched(asked, symbol);
  if (head.item_count >= tier.watchlist_limit) return { ok: false, reason: 'limit_reached', limit: tier.watchlist_limit, tier: tier.tier };

  if (!candidate) {
    const registered = await deps.market.registerSymbol(symbol);
    if (!registered.ok) return { ok: false, reason: registered.reason };
  }

  const outcome = await tryToAdd(asked, symbol, wanted.position);
  if (outcome === 'watchlist_duplicate') return alreadyWatched(asked, symbol);
  if (outcome === 'watchlist_limit_reached') {
    // Lost a race against other adds or a downgrade: the limit that was enforced is the one of now.
    const now = await deps.tierOf(member.idpId);
    const { tier: name, watchlist_limit: limit } = now.ok ? now : tier;
    return { ok: false, reason: 'limit_reached', limit, tier: name };
  }
  // At the end of the list the new row's place is the list's length; elsewhere, and for a new ticker, what stands now is read.
  if (candidate && wanted.position === undefined) {
    const row = { ...candidate, ...outcome, locked: false };
    return { ok: true, item: withMarket(row, (await market)(row)), state: stateOf({ ...head, item_count: outcome.position }) };
  }
  const after = await readRow(asked, symbol);
  // Removed again by somebody else, right behind the add.
  if (!after?.row) return { ok: false, reason: 'changing' };
  return { ok: true, item: await completeItem(asked, after.row), state: after.state };
}

async function alreadyWatched(asked: Asked, symbol: string): Promise<Added> {
  const read = await readRow(asked, symbol);
  if (!read?.row) return { ok: false, reason: 'changing' };
  return { ok: false, reason: 'already_watched', item: await completeItem(asked, read.row) };
}

/** The database has the last word: it counts under the member's lock. */
async function tryToAdd({ deps, member }: Asked, symbol: string, position: number | undefined): Promise<PlacedRow | 'watchlist_limit_reached' | 'watchlist_duplicate'> {
  try {
    return await addItem(deps.database.service, member.idpId, symbol, position);
  } catch (error) {
    const { message } = error as Error;
    if (message === 'watchlist_limit_reached' || message === 'watchlist_duplicate') return message;
    throw error;
  }
}
