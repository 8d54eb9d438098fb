import type { Logger } from 'pino';
import type { ServiceSql } from '../database/roles.ts';
import type { HttpApp } from '../http/app-type.ts';
import type { SeededPeople, Slice } from '../slice.ts';
import type { Tier } from './contract.ts';
import { lookUpTier, type TierLookup } from './look-up-tier.ts';
import { deleteGrant, deletePlans, selectPlan, upsertGrant } from './queries.ts';
import { addBillingRoutes, type BillingRouteDependencies } from './routes.ts';

export interface Billing extends Slice {
  /** `GET /api/plans`. */
  register(app: HttpApp): void;
  seed(people: Pick<SeededPeople, 'members'>): Promise<void>;
  /** Strict: `{ ok: false }` where the tier cannot be found out now. Never throws. */
  tierOf(idpId: string): Promise<TierLookup>;
  /** Rows that a tier's plan lets a member watch. */
  watchlistLimitOf(tier: Tier): Promise<number>;
  /** Grants a member a tier, which is no revenue and which no payment overwrites; `free` takes it back. */
  setTier(idpId: string, tier: Tier): Promise<void>;
}

interface BillingDependencies {
  sql: ServiceSql;
  logger: Logger;
  guards: BillingRouteDependencies['guards'];
}

/** Who is on which plan, and what the plan allows. Runs nothing by itself. */
export function createBilling({ sql, logger, guards }: BillingDependencies): Billing {
  const setTier = (idpId: string, tier: Tier): Promise<void> =>
    tier === 'free' ? deleteGrant(sql, idpId) : upsertGrant(sql, idpId, tier);
  const tierOf: Billing['tierOf'] = (idpId) =>
    lookUpTier(sql, idpId, (error) => logger.warn({ err: error }, 'a tier could not be looked up'));
  return {
    name: 'billing',
    register: (app) => addBillingRoutes(app, { sql, guards, tierOf }),
    tierOf,
    async watchlistLimitOf(tier) {
      const [plan] = await selectPlan(sql, tier);
      if (!plan) throw new Error(`There is no plan for the tier ${tier}.`);
      return plan.watchlist_limit;
    },
    setTier,
    onUserDeleted: deletePlans,
    async seed({ members }) {
      for (const member of members) await setTier(member.idp_user_id, member.tier);
    },
  };
}
