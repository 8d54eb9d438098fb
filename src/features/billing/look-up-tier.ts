import type { MemberSql } from '../../platform/database/roles.ts';
import { type Tier, tier as tierShape } from './contract.ts';
import { selectMemberPlan } from './queries.ts';

/** Known tier, or `ok: false`. The result is never a guess, since a guess could limit a paying member to Free. */
export type TierLookup = { ok: true; tier: Tier; watchlist_limit: number } | { ok: false };

/** Returns the member's tier and limit, or `{ ok: false }` if either is unknown. Calls `onFailure` with the error. */
export async function lookUpTier(sql: MemberSql, onFailure: (error: unknown) => void): Promise<TierLookup> {
  try {
    const [plan] = await selectMemberPlan(sql);
    const tier = tierShape.safeParse(plan?.tier);
    if (plan && tier.success) return { ok: true, tier: tier.data, watchlist_limit: plan.watchlist_limit };
    onFailure(new Error(`The tier of ${sql.idpId} has no plan.`));
  } catch (error) {
    onFailure(error);
  }
  return { ok: false };
}
