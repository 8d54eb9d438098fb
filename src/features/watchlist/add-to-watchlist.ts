import { readSymbol } from '../../market-data/services/catalog/catalog-spelling.ts';
import { renamedFrom } from '../../market-data/domain/normalise-symbol.ts';
import type { OverLookUps } from '../../market-data/services/catalog/lookup-rate-limit.ts';
import { captureChange } from './capture-event.ts';
import type { ChangeContext, RequestContext } from './context.ts';
import type { AssetType, WatchlistItem, WatchlistTier } from './contract.ts';
import type { KnownTier } from './known-tiers.ts';
import { addItem, countItems, getAddRejection, readAddChecks, readRow } from './queries.ts';
import { completeItem } from './read-market.ts';

export type Added = { ok: true; item: WatchlistItem; renamedFrom?: string | undefined } | Refused;

type Refused =
  /** `changing`: another request removed the symbol meanwhile. */
  | { ok: false; reason: 'tier_unavailable' | 'unknown' | 'changing' }
  | { ok: false; reason: 'unsupported'; detail?: 'no_bond_feed' | undefined }
  | { ok: false; reason: 'unavailable'; retryAfter?: number | undefined }
  | OverLookUps
  | { ok: false; reason: 'already_watched'; item: WatchlistItem }
  | { ok: false; reason: 'limit_reached'; limit: number; tier: WatchlistTier };

interface Listing {
  symbol: string;
  asset_type: AssetType;
}

/**
 * Adds a symbol, in this order: tier, duplicates and limit, catalog, the locked function. Nothing is registered for a
 * member whose tier is unknown, whose list is full or who has the symbol already. The backfill is the caller's, after
 * the response.
 */
export async function addToWatchlist(
  context: ChangeContext,
  wanted: {
    /** As the member wrote it. */
    symbol: string;
    position?: number | undefined;
  },
): Promise<Added> {
  const { deps, member } = context;
  const symbol = await readSymbol(context.sql, wanted.symbol);
  const plan = await deps.tierOf(member.idpId);
  if (!plan.ok) return { ok: false, reason: 'tier_unavailable' };
  if (symbol === undefined) return { ok: false, reason: 'unknown' };

  const checks = await readAddChecks(deps.database.serviceFor(member.idpId), member.idpId, symbol);
  if (checks.watched) return alreadyWatched(context, plan, symbol);
  if (checks.item_count >= plan.watchlist_limit) return limitReached(plan);

  const listing = checks.asset_type
    ? { ok: true as const, ticker: { symbol, asset_type: checks.asset_type } }
    : await deps.lookUp(member.idpId, symbol, (unknown) => deps.market.registerSymbol(unknown));
  if (!listing.ok) return listing;
  // An ISIN or another spelling is registered under the listing's own symbol.
  const refused = await insertItem(context, plan, listing.ticker, wanted.position);
  if (refused) return refused;
  const item = await readItem(context, plan, listing.ticker.symbol);
  return item
    ? { ok: true, item, renamedFrom: renamedFrom(wanted.symbol, item.symbol) }
    : { ok: false, reason: 'changing' };
}

/** Adds the row and its event in one transaction; the database counts under the member's lock and has the last word. */
async function insertItem(
  context: ChangeContext,
  plan: KnownTier,
  { symbol, asset_type }: Listing,
  position: number | undefined,
): Promise<Refused | undefined> {
  const { deps, member } = context;
  // A row that comes with a position is put back.
  const event = position === undefined ? 'watchlist_symbol_added' : 'watchlist_removal_undone';
  try {
    await deps.database.serviceFor(member.idpId).transaction(async (tx) => {
      await addItem(tx, member.idpId, symbol, position);
      const itemCount = await countItems(tx, member.idpId);
      await captureChange(context, tx, { event, own: { symbol, asset_type }, plan, itemCount });
    });
    return undefined;
  } catch (error) {
    const rejection = getAddRejection(error);
    if (rejection === 'duplicate') return alreadyWatched(context, plan, symbol);
    const now = await deps.tierOf(member.idpId);
    if (!now.ok) return { ok: false, reason: 'tier_unavailable' };
    // Another add or a downgrade came first: the limit that was enforced is the one of now.
    if (rejection === 'full') return limitReached(now);
    throw error;
  }
}

function limitReached({ tier, watchlist_limit: limit }: KnownTier): Refused {
  return { ok: false, reason: 'limit_reached', limit, tier };
}

async function alreadyWatched(context: RequestContext, plan: KnownTier, symbol: string): Promise<Refused> {
  const item = await readItem(context, plan, symbol);
  return item ? { ok: false, reason: 'already_watched', item } : { ok: false, reason: 'changing' };
}

async function readItem(context: RequestContext, plan: KnownTier, symbol: string): Promise<WatchlistItem | undefined> {
  const list = await readRow(context.sql, context.member.idpId, symbol, { known: plan });
  return list?.row && completeItem(context, list.row);
}
