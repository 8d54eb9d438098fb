import { readSymbol } from '../../market-data/services/catalog/catalog-spelling.ts';
import { renamedFrom } from '../../market-data/domain/normalise-symbol.ts';
import type { OverLookUps } from '../../market-data/services/catalog/lookup-rate-limit.ts';
import { captureChange } from './capture-event.ts';
import type { ChangeContext, RequestContext } from './context.ts';
import type { WatchlistItem, WatchlistTier } from './contract.ts';
import type { KnownTier } from './known-tiers.ts';
import { addItem, countItems, type ListRow, readCandidate, readList } from './queries.ts';
import { completeItem, readMarketBySymbol, withMarket } from './read-market.ts';

export type Added = { ok: true; item: WatchlistItem; renamedFrom?: string | undefined } | Refused;

type Refused =
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
 * the response.
 */
export async function addToWatchlist(context: ChangeContext, wanted: Wanted): Promise<Added> {
  const symbol = await readSymbol(context.sql, wanted.symbol);
  const plan = await context.deps.tierOf(context.member.idpId);
  if (!plan.ok) return { ok: false, reason: 'tier_unavailable' };
  if (symbol === undefined) return { ok: false, reason: 'unknown' };
  const added = await addSymbol(context, plan, symbol, wanted.position);
  return added.ok ? { ...added, renamedFrom: renamedFrom(wanted.symbol, added.item.symbol) } : added;
}

async function addSymbol(
  context: ChangeContext,
  plan: KnownTier,
  symbol: string,
  position: number | undefined,
): Promise<Added> {
  const { deps, member } = context;
  const service = deps.database.serviceFor(member.idpId);
  const found = await readCandidate(service, member.idpId, symbol);
  if (found.watched) return alreadyWatched(context, symbol);
  if (found.item_count >= plan.watchlist_limit) return limitReached(plan);

  if (found.ticker_id === null) {
    const registered = await deps.lookUp(member.idpId, symbol, (unknown) => deps.market.registerSymbol(unknown));
    if (!registered.ok) return registered;
    // An ISIN or another spelling is registered under the listing's own symbol.
    const placed = await place(context, plan, registered.ticker, position);
    if ('reason' in placed) return placed;
    const row = await readRow(context, placed.symbol);
    // Another request removed it again right behind the add.
    return row ? { ok: true, item: await completeItem(context, row) } : { ok: false, reason: 'changing' };
  }
  const reading = readMarketBySymbol(context, symbol);
  const placed = await place(context, plan, { symbol, asset_type: found.asset_type }, position);
  if ('reason' in placed) return placed;
  // At the end of the list the new row's place is the list's length; elsewhere what stands now is read.
  const row = position === undefined ? { ...found, ...placed, locked: false } : await readRow(context, symbol);
  if (!row) return { ok: false, reason: 'changing' };
  return { ok: true, item: withMarket(row, (await reading)(row)) };
}

/** Adds the row and its event in one transaction; the database counts under the member's lock and has the last word. */
async function place(
  context: ChangeContext,
  plan: KnownTier,
  { symbol, asset_type }: Pick<ListRow, 'symbol' | 'asset_type'>,
  position: number | undefined,
): Promise<Awaited<ReturnType<typeof addItem>> | Refused> {
  const { deps, member } = context;
  // A row with a place of its own is put back.
  const event = position === undefined ? 'watchlist_symbol_added' : 'watchlist_removal_undone';
  try {
    return await deps.database.serviceFor(member.idpId).transaction(async (tx) => {
      const placed = await addItem(tx, member.idpId, symbol, position);
      const itemCount = await countItems(tx, member.idpId);
      await captureChange(context, tx, { event, own: { symbol, asset_type }, plan, itemCount });
      return placed;
    });
  } catch (error) {
    const { message } = error as Error;
    if (message === 'watchlist_duplicate') return alreadyWatched(context, symbol);
    const now = await deps.tierOf(member.idpId);
    if (!now.ok) return { ok: false, reason: 'tier_unavailable' };
    // Another add or a downgrade came first: the limit that was enforced is the one of now.
    if (message === 'watchlist_limit_reached') return limitReached(now);
    throw error;
  }
}

function limitReached({ tier, watchlist_limit: limit }: KnownTier): Refused {
  return { ok: false, reason: 'limit_reached', limit, tier };
}

async function alreadyWatched(context: RequestContext, symbol: string): Promise<Refused> {
  const row = await readRow(context, symbol);
  if (!row) return { ok: false, reason: 'changing' };
  return { ok: false, reason: 'already_watched', item: await completeItem(context, row) };
}

const readRow = async ({ sql, member }: RequestContext, symbol: string) =>
  (await readList(sql, member.idpId, { rows: { symbol } }))?.rows[0];
