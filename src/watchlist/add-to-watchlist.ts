import { normaliseSymbol } from '../market-data/normalise-symbol.ts';
import type { Asked } from './context.ts';
import type { ListState, WatchlistItem, WatchlistTier } from './contract.ts';
import { addItem } from './queries.ts';
import { completeItem, readRow } from './read-item.ts';

export type Added =
  | { ok: true; item: WatchlistItem; state: ListState }
  | { ok: false; reason: 'tier_unavailable' | 'unknown' | 'unsupported' | 'unavailable' | 'changing' }
  | { ok: false; reason: 'already_watched'; item: WatchlistItem }
  | { ok: false; reason: 'limit_reached'; limit: number; tier: WatchlistTier };

/**
 * Adds a symbol, in the specification's order: tier, duplicates and limit, catalog, the locked function. Nothing is registered for a
 * member whose tier is unknown, whose list is full or who has the symbol already. The backfill is the caller's, after the response.
 */
export async function addToWatchlist(asked: Asked, wanted: { symbol: string; position?: number | undefined }): Promise<Added> {
  const { deps, member } = asked;
  const symbol = normaliseSymbol(wanted.symbol);
  // Both only read, so they need not wait for each other; the tier has the first word all the same.
  const [tier, before] = await Promise.all([deps.tierOf(member.idpId), symbol === undefined ? undefined : readRow(asked, symbol)]);
  if (!tier.ok) return { ok: false, reason: 'tier_unavailable' };

  if (symbol === undefined) return { ok: false, reason: 'unknown' };
  if (!before) return { ok: false, reason: 'tier_unavailable' };
  if (before.row) return { ok: false, reason: 'already_watched', item: await completeItem(asked, before.row) };
  if (before.state.item_count >= tier.watchlist_limit) return { ok: false, reason: 'limit_reached', limit: tier.watchlist_limit, tier: tier.tier };

  const registered = await deps.market.registerSymbol(symbol);
  if (!registered.ok) return { ok: false, reason: registered.reason };

  const outcome = await tryToAdd(asked, symbol, wanted.position);
  if (outcome === 'watchlist_limit_reached') {
    // Lost a race against other adds or a downgrade: the limit that was enforced is the one of now.
    const now = await deps.tierOf(member.idpId);
    const { tier: name, watchlist_limit: limit } = now.ok ? now : tier;
    return { ok: false, reason: 'limit_reached', limit, tier: name };
  }
  const after = await readRow(asked, symbol);
  // Removed again by somebody else, right behind the add.
  if (!after?.row) return { ok: false, reason: 'changing' };
  const item = await completeItem(asked, after.row);
  return outcome === 'added' ? { ok: true, item, state: after.state } : { ok: false, reason: 'already_watched', item };
}

type Outcome = 'added' | 'watchlist_limit_reached' | 'watchlist_duplicate';

/** The database has the last word: it counts under the member's lock. */
async function tryToAdd({ deps, member }: Asked, symbol: string, position: number | undefined): Promise<Outcome> {
  try {
    await addItem(deps.database.service, member.idpId, symbol, position);
    return 'added';
  } catch (error) {
    const { message } = error as Error;
    if (message === 'watchlist_limit_reached' || message === 'watchlist_duplicate') return message;
    throw error;
  }
}
