import type { WatchlistTier } from './contract.ts';

/** A tier with its limit, as read with the list. */
export interface TierWithLimit {
  tier: WatchlistTier;
  watchlist_limit: number;
}

export type TierCache = ReturnType<typeof createTierCache>;

const CACHE_TTL_MS = 60 * 60_000;
/** Maximum members in the cache. An entry takes about 100 bytes. */
const MAX_MEMBERS = 20_000;

/**
 * Creates a cache of the tiers that this process read last, for reads while tiers are unavailable. An operation that
 * grants or charges something, such as an add, must not use the cache.
 */
export function createTierCache(now: () => Date) {
  const entryByMember = new Map<string, TierWithLimit & { storedAt: number }>();
  return {
    set(idpId: string, { tier, watchlist_limit }: TierWithLimit): void {
      // The entry is inserted again, so that the first key is always the least recently read.
      entryByMember.delete(idpId);
      entryByMember.set(idpId, { tier, watchlist_limit, storedAt: now().getTime() });
      if (entryByMember.size > MAX_MEMBERS) entryByMember.delete(entryByMember.keys().next().value!);
    },
    /** Returns the cached tier if it is at most one hour old. */
    get(idpId: string): TierWithLimit | undefined {
      const entry = entryByMember.get(idpId);
      return entry && now().getTime() - entry.storedAt <= CACHE_TTL_MS ? entry : undefined;
    },
  };
}
