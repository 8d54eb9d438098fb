import type { Logger } from 'pino';
import type { HttpApp } from '../../platform/http/app-type.ts';
import type { SharedRateLimits } from '../../platform/http/redis-rate-limiter.ts';
import type { SeededPeople, Feature } from '../../feature.ts';
import type { BillingContext } from './context.ts';
import type { Tier } from './contract.ts';
import { memberRows } from './export-queries.ts';
import { billingSchedules, billingTasks, enqueueCustomerCancellation } from './jobs.ts';
import { lookUpTier, type TierLookup } from './look-up-tier.ts';
import { createStripePayments, type StripePaymentSettings } from './payments/stripe-payments.ts';
import {
  deletePlans,
  insertGrant,
  type MemberTiers,
  selectMemberTiers,
  selectPlan,
  selectTiers,
  setGrant,
} from './queries.ts';
import { addRevenueRoutes } from './revenue-routes.ts';
import { addPaymentWebhook } from './webhook-route.ts';
import { addBillingRoutes, type BillingRouteDependencies } from './routes.ts';

export interface Billing extends Feature {
  register(app: HttpApp): Promise<void>;
  seed(people: Pick<SeededPeople, 'members'>): Promise<void>;
  /** Returns the tier, or `{ ok: false }` if it is unavailable. Never throws. */
  getTier(idpId: string): Promise<TierLookup>;
  /** Returns the number of watchlist rows that the plan of a tier allows. */
  getWatchlistLimit(tier: Tier): Promise<number>;
  /** Returns the tier of a member with its parts: what is paid and what is granted. */
  getTierParts(idpId: string): Promise<MemberTiers>;
  /** Returns the current tier of each member. */
  getTiers(idpIds: readonly string[]): Promise<ReadonlyMap<string, Tier>>;
  /** Grants a member a tier. A grant is no revenue, and no payment overwrites it. `free` removes the grant. */
  setTier(idpId: string, tier: Tier): Promise<void>;
}

interface BillingDependencies {
  database: BillingRouteDependencies['database'];
  logger: Logger;
  guards: BillingRouteDependencies['guards'];
  /** Dependencies of sales. Without them or without a provider, plans and grants exist but have no prices. */
  selling?: {
    baseUrl: string;
    captureInTransaction: BillingContext['captureInTransaction'];
    provider: StripePaymentSettings | undefined;
  };
  /** Token that opens the revenue report to operators. Without a token the report is disabled. */
  revenueToken?: string | undefined;
  /** Creates the rate limiter of the report (default: counts per process). */
  createLimiter?: SharedRateLimits['createLimiter'];
}

/** Creates the feature that holds each member's plan, its limits and its payments. */
export function createBilling({ database, logger, guards, selling, ...operator }: BillingDependencies): Billing {
  const sql = database.service;
  const baseUrl = selling?.baseUrl ?? 'http://localhost';
  const payments = selling?.provider && createStripePayments(selling.provider);
  const context = payments &&
    selling && {
      sql,
      logger,
      payments,
      captureInTransaction: selling.captureInTransaction,
      hasDeclinedAnalytics: false,
    };
  const setTier = (idpId: string, tier: Tier): Promise<void> => setGrant(sql, idpId, tier);
  const getTier: Billing['getTier'] = (idpId) =>
    lookUpTier(database.asMember({ sub: idpId }), (error) =>
      logger.warn({ err: error }, 'a tier could not be looked up'),
    );
  return {
    name: 'billing',
    memberRows,
    async register(app) {
      await addBillingRoutes(app, { database, context, guards, baseUrl, getTier });
      addRevenueRoutes(app, { sql, ...operator });
      if (context) addPaymentWebhook(app, context);
    },
    tasks: context ? billingTasks(context) : {},
    schedules: context ? billingSchedules : [],
    getTier,
    async getWatchlistLimit(tier) {
      const [plan] = await selectPlan(sql, tier);
      if (!plan) throw new Error(`There is no plan for the tier ${tier}.`);
      return plan.watchlist_limit;
    },
    getTierParts: (idpId) => selectMemberTiers(sql, idpId),
    getTiers: (idpIds) => selectTiers(sql, idpIds),
    setTier,
    async onUserDeleted(transaction, idpId) {
      await enqueueCustomerCancellation(transaction, idpId);
      await deletePlans(transaction, idpId);
    },
    async seed({ members }) {
      for (const member of members) await setTier(member.idp_user_id, member.tier);
    },
    // The demo data exceed the limit of the free plan.
    prepareDemo: async (idpId) => (tx) => insertGrant(tx, idpId, 'pro'),
  };
}
