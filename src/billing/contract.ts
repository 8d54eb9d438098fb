import { z } from 'zod';

/** What a member pays for; `Free`, `Pro` and `Max` on screen. */
export const tier = z.enum(['free', 'pro', 'max']);

export type Tier = z.infer<typeof tier>;

/** Where the wish to upgrade arose, in the address of the plans page (`/plans?entry=`); it travels on to the subscription. */
export const upgradeEntry = z.enum(['watchlist_limit', 'watchlist_locked']);

export type UpgradeEntry = z.infer<typeof upgradeEntry>;

/** `GET /api/plans`: every plan with its limits, the smallest first, and which is the member's now. 503 TIER_UNAVAILABLE where that is not known. */
export const plansResponse = z.object({ current: tier, plans: z.array(z.object({ tier, watchlist_limit: z.int() })) });

export type PlansResponse = z.infer<typeof plansResponse>;
