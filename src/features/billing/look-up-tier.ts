import type { ServiceSql } from '../../platform/database/roles.ts';
import { type Tier, tier as tierShape } from './contract.ts';
import { selectMemberPlan } from './queries.ts';

/**
 * A tier that is known, or the admission that it is not: never a guess, since a guess would cap a paying member at
 * Free.
 */
export type TierLookup = { ok: true; tier: Tier; watchlist_limit: number } | { ok: false };

/** The member's tier and limit, or `{ ok: false }` where either is unknown; `failed` hears why. */
export async function lookUpTier(
  sql: ServiceSql,
  idpId: string,
  onFailure: (error: unknown) => void,
): Promise<TierLookup> {
  try {
    const [plan] = await selectMemberPlan(sql, idpId);
    const tier = tierShape.safeParse(plan?.tier);
    if (plan && tier.success) return { ok: true, tier: tier.data, watchlist_limit: plan.watchlist_limit };
    onFailure(new Error(`The tier of ${idpId} names no plan.`));
  } catch (error) {
    onFailure(error);
  }
  return { ok: false };
}
