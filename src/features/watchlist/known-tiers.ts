import type { WatchlistTier } from './contract.ts';

/** A tier with its limit, as a read of the list found it. */
export interface KnownTier {
  tier: WatchlistTier;
  watchlist_limit: number;
}

export type KnownTiers = ReturnType<typeof rememberTiers>;

const KEPT_MS = 60 * 60_000;
/** Members of whom a process remembers the tier: about 100 bytes each. */
const MEMBERS = 20_000;

/**
 * The tiers that the reads of this process found last, for reads while tiers cannot be looked up. Nothing that costs
 * or grants something (an add) may ask here.
 */
export function rememberTiers(now: () => Date) {
  const found = new Map<string, KnownTier & { at: number }>();
  return {
    learn(idpId: string, { tier, watchlist_limit }: KnownTier): void {
      // Written anew, so that the first key is the one that was read longest ago.
      found.delete(idpId);
      found.set(idpId, { tier, watchlist_limit, at: now().getTime() });
      if (found.size > MEMBERS) found.delete(found.keys().next().value!);
    },
    /** What was learnt last, where that is at most an hour ago. */
    of(idpId: string): KnownTier | undefined {
      const known = found.get(idpId);
      return known && now().getTime() - known.at <= KEPT_MS ? known : undefined;
    },
  };
}
