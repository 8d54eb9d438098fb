import type { WatchlistTier } from './contract.ts';

/** A tier with its limit, as a read of the list found it. */
export interface TierWithLimit {
  tier: WatchlistTier;
  watchlist_limit: number;
}

export type TierCache = ReturnType<typeof createTierCache>;

const CACHE_TTL_MS = 60 * 60_000;
/** Members of whom a process remembers the tier: about 100 bytes each. */
const MAX_MEMBERS = 20_000;

/**
 * The tiers that the reads of this process found last, for reads while tiers cannot be looked up. Nothing that costs
 * or grants something (an add) may ask here.
 */
export function createTierCache(now: () => Date) {
  const entryByMember = new Map<string, TierWithLimit & { storedAt: number }>();
  return {
    set(idpId: string, { tier, watchlist_limit }: TierWithLimit): void {
      // Written anew, so that the first key is the one that was read longest ago.
      entryByMember.delete(idpId);
      entryByMember.set(idpId, { tier, watchlist_limit, storedAt: now().getTime() });
      if (entryByMember.size > MAX_MEMBERS) entryByMember.delete(entryByMember.keys().next().value!);
    },
    /** What was learnt last, where that is at most an hour ago. */
    get(idpId: string): TierWithLimit | undefined {
      const entry = entryByMember.get(idpId);
      return entry && now().getTime() - entry.storedAt <= CACHE_TTL_MS ? entry : undefined;
    },
  };
}
