import { resolveSymbol } from '../../market-data/services/catalog/catalog-spelling.ts';
import { findFormerSymbol } from '../../market-data/domain/normalize-symbol.ts';
import type { LookupRateLimited } from '../../market-data/services/catalog/lookup-rate-limit.ts';
import type { RegistrationFailure } from '../../market-data/services/catalog/register-symbol.ts';
import { captureChange } from './capture-event.ts';
import { type ChangeContext, type RequestContext, runAsMemberAndService } from './context.ts';
import type { AssetType, WatchlistItem, WatchlistTier } from './contract.ts';
import type { TierWithLimit } from './tier-cache.ts';
import { addItem, getAddRejection, readAddChecks, readRow } from './queries.ts';
import { withClosesAndReport } from './read-market.ts';

export type AddResult = { ok: true; item: WatchlistItem; renamedFrom?: string | undefined } | AddRejection;

type AddRejection =
  /** `conflict`: a concurrent request removed the symbol. */
  | { ok: false; reason: 'tier_unavailable' | 'conflict' }
  | RegistrationFailure
  | LookupRateLimited
  | { ok: false; reason: 'already_watched'; item: WatchlistItem }
  | { ok: false; reason: 'limit_reached'; limit: number; tier: WatchlistTier };

interface Listing {
  symbol: string;
  asset_type: AssetType;
}

/**
 * Adds a symbol. The order of checks is tier, duplicates and limit, catalog, locked function. If the tier is unknown,
 * the list is full or the symbol is a duplicate, no security is registered. The caller starts the backfill after the
 * response.
 */
export async function addToWatchlist(
  context: ChangeContext,
  request: {
    /** Symbol as typed by the member. */
    symbol: string;
    position?: number | undefined;
  },
): Promise<AddResult> {
  const { deps, member } = context;
  const symbol = await resolveSymbol(context.sql, request.symbol);
  const plan = await deps.getTier(member.idpId);
  if (!plan.ok) return { ok: false, reason: 'tier_unavailable' };
  if (symbol === undefined) return { ok: false, reason: 'unknown' };

  const checks = await readAddChecks(context.sql, member.idpId, symbol);
  if (checks.watched) return rejectAlreadyWatched(context, plan, symbol);
  if (checks.item_count >= plan.watchlist_limit) return rejectLimitReached(plan);

  const listing = checks.asset_type
    ? { ok: true as const, ticker: { symbol, asset_type: checks.asset_type } }
    : await deps.lookUp(member.idpId, symbol, (unknown) => deps.market.registerSymbol(unknown));
  if (!listing.ok) return listing;
  // The listing's own symbol is registered, because the member may have typed an ISIN or another spelling.
  const rejection = await insertItem(context, plan, listing.ticker, request.position);
  if (rejection) return rejection;
  const item = await readItem(context, plan, listing.ticker.symbol);
  return item
    ? { ok: true, item, renamedFrom: findFormerSymbol(request.symbol, item.symbol) }
    : { ok: false, reason: 'conflict' };
}

/**
 * Inserts the row and its event in one transaction. The database repeats the count under the member's lock, and its
 * result is final.
 */
async function insertItem(
  context: ChangeContext,
  plan: TierWithLimit,
  { symbol, asset_type }: Listing,
  position: number | undefined,
): Promise<AddRejection | undefined> {
  const { deps, member } = context;
  // A row with a position is a restored row.
  const event = position === undefined ? 'watchlist_symbol_added' : 'watchlist_removal_undone';
  try {
    await runAsMemberAndService(context, async ({ service }) => {
      const itemCount = await addItem(service, member.idpId, symbol, position);
      await captureChange(context, service, { event, eventProperties: { symbol, asset_type }, plan, itemCount });
    });
    return undefined;
  } catch (error) {
    const rejection = getAddRejection(error);
    if (rejection === 'duplicate') return rejectAlreadyWatched(context, plan, symbol);
    const currentPlan = await deps.getTier(member.idpId);
    // A concurrent add or a downgrade changed the list. The error reports the limit that is in force now.
    if (rejection === 'full')
      return currentPlan.ok ? rejectLimitReached(currentPlan) : { ok: false, reason: 'tier_unavailable' };
    if (currentPlan.ok) throw error;
    deps.logger.warn({ err: error }, 'failed to add a symbol; tier unavailable');
    return { ok: false, reason: 'tier_unavailable' };
  }
}

function rejectLimitReached({ tier, watchlist_limit: limit }: TierWithLimit): AddRejection {
  return { ok: false, reason: 'limit_reached', limit, tier };
}

async function rejectAlreadyWatched(
  context: RequestContext,
  plan: TierWithLimit,
  symbol: string,
): Promise<AddRejection> {
  const item = await readItem(context, plan, symbol);
  return item ? { ok: false, reason: 'already_watched', item } : { ok: false, reason: 'conflict' };
}

async function readItem(
  context: RequestContext,
  plan: TierWithLimit,
  symbol: string,
): Promise<WatchlistItem | undefined> {
  const list = await readRow(context.sql, context.member.idpId, symbol, { cachedPlan: plan });
  return list?.row && withClosesAndReport(context, list.row);
}
