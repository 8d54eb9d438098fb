import { z } from 'zod';
import { defineRoutes } from '../http/contract.ts';

/** What a member pays for; `Free`, `Pro` and `Max` on screen. */
export const tier = z.enum(['free', 'pro', 'max']).meta({ id: 'Tier', description: 'What a member pays for.' });

export type Tier = z.infer<typeof tier>;

/**
 * Where the upgrade was asked for, in the address of the plans page (`/plans?entry=`); it travels on to the
 * subscription.
 */
export const upgradeEntry = z.enum(['watchlist_limit', 'watchlist_locked']);

export type UpgradeEntry = z.infer<typeof upgradeEntry>;

export const price = z
  .object({
    amount_minor: z.int().positive().describe('In the smallest unit of the currency.'),
    currency: z.string().describe('ISO 4217.'),
    interval: z.enum(['month', 'year']),
  })
  .meta({ id: 'Price' });

export const plansResponse = z
  .object({
    current: tier,
    plans: z.array(z.object({ tier, watchlist_limit: z.int(), price: price.nullable() })),
  })
  .meta({ id: 'Plans', description: 'Every plan with its limits, the smallest first, and which is the member’s now.' });

export type PlansResponse = z.infer<typeof plansResponse>;

export const routes = defineRoutes(
  { tag: { name: 'Billing', description: 'What a member pays for, and what the plans allow.' } },
  {
    listPlans: {
      method: 'GET',
      path: '/api/plans',
      summary: 'Lists the plans, and which is the member’s',
      responses: { 200: plansResponse },
      refusals: ['TIER_UNAVAILABLE'],
      example: {
        response: {
          current: 'free',
          plans: [
            { tier: 'free', watchlist_limit: 20, price: null },
            { tier: 'pro', watchlist_limit: 100, price: { amount_minor: 999, currency: 'USD', interval: 'month' } },
            { tier: 'max', watchlist_limit: 250, price: { amount_minor: 1999, currency: 'USD', interval: 'month' } },
          ],
        },
      },
    },
  },
);
