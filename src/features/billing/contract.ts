import { z } from 'zod';
import { defineRoutes, instant, namedObject, namedStrictObject, errorSchema } from '../../platform/http/contract.ts';

/** Tier of a member, shown as `Free`, `Pro` or `Max`. */
export const tier = z.enum(['free', 'pro', 'max']).meta({ id: 'Tier', description: 'What a member pays for.' });

export type Tier = z.infer<typeof tier>;

/** Entry source of an upgrade, from the URL of the plans page (`/plans?entry=`). It is stored with the subscription. */
export const upgradeEntry = z.enum(['watchlist_limit', 'watchlist_locked']);

export type UpgradeEntry = z.infer<typeof upgradeEntry>;

const price = namedObject('Price', {
  amount_minor: z.int().positive().describe('In the smallest unit of the currency.'),
  currency: z.string().describe('ISO 4217.'),
  interval: z.enum(['month', 'year']),
});

export type Price = z.infer<typeof price>;

export const plansResponse = z
  .object({
    current: tier.nullable().describe('The member’s plan. Null for a visitor.'),
    plans: z.array(z.object({ tier, watchlist_limit: z.int(), price: price.nullable() })),
  })
  .meta({
    id: 'Plans',
    description: 'All plans with their limits, the smallest first, and the member’s current plan.',
  });

export type PlansResponse = z.infer<typeof plansResponse>;

const money = { amount_minor: z.int().describe('In the smallest unit of the currency.'), currency: z.string() };

const billing = z
  .object({
    tier,
    source: z.enum(['payment', 'operator']).nullable().describe('Origin of the tier. Null on Free.'),
    payments: z
      .enum(['live', 'test'])
      .nullable()
      .describe('`test`: no money is charged. Null if the deployment sells no plans.'),
    paid_tier: tier.nullable(),
    granted_tier: tier
      .nullable()
      .describe('Granted by the operator, independent of payments. The higher of it and the paid tier applies.'),
    status: z.string().nullable().describe('Status of the subscription at the payment provider.'),
    price: price.nullable().describe('Price of the subscription. It does not change with the plan’s price.'),
    current_period_end: instant.nullable(),
    cancel_at: instant.nullable(),
    pending_change: z.object({ tier, at: instant }).nullable(),
    next_invoice: z.object({ ...money, at: instant }).nullable(),
    payment_problem: z
      .object({
        kind: z.enum(['renewal', 'upgrade']),
        url: z.string().nullable().describe('URL at which the invoice can be paid.'),
      })
      .nullable(),
    invoices: z.array(
      z.object({
        number: z.string().nullable(),
        status: z.string(),
        ...money,
        url: z.string().nullable(),
        created_at: instant,
      }),
    ),
  })
  .meta({ id: 'Billing', description: 'The member’s tier, subscription and invoices.' });

export type BillingResponse = z.infer<typeof billing>;

const orderRequest = namedStrictObject('CheckoutRequest', {
  tier: tier.exclude(['free']),
  entry: upgradeEntry.optional(),
});
const checkoutResponse = namedObject('Checkout', { checkout_id: z.uuid(), url: z.string() });
const paymentRequired = errorSchema('PAYMENT_REQUIRED', { url: z.string().nullable() });

const tag = { name: 'Billing', description: 'Plans with their limits, and the member’s subscription.' };

const readRoutes = defineRoutes(
  { tag, errors: ['TIER_UNAVAILABLE'] },
  {
    listPlans: {
      endpoint: 'GET /api/plans',
      summary: 'List plans',
      description: 'Needs no credential. With a member’s credential it also returns the member’s plan.',
      access: 'optional-member',
      errors: ['UNAUTHENTICATED', 'RATE_LIMITED', 'UNAVAILABLE'],
      responses: { 200: plansResponse },
    },
    getBilling: {
      endpoint: 'GET /api/billing',
      summary: 'Get the subscription and invoices',
      responses: { 200: billing },
    },
  },
);

const planChange = {
  responses: { 200: billing },
  errors: ['CONFLICT', 'TIER_UNAVAILABLE', paymentRequired],
} as const;

const sellingRoutes = defineRoutes(
  {
    tag,
    variesByDemoTour: true,
    errors: ['NOT_CONFIGURED', 'PAYMENTS_UNAVAILABLE', 'DEMO_ACCOUNT', 'DEMO_MODE'],
  },
  {
    startCheckout: {
      endpoint: 'POST /api/billing/checkout',
      summary: 'Start a checkout',
      description:
        'Only one checkout can be open at a time. A second request for the same plan returns the open checkout.',
      body: orderRequest,
      responses: { 200: checkoutResponse, 201: checkoutResponse },
      errors: ['ALREADY_SUBSCRIBED'],
    },
    previewPlanChange: {
      endpoint: 'POST /api/billing/preview',
      summary: 'Preview a plan change',
      description: 'Returns what the change costs now. Nothing is changed.',
      body: z.strictObject({ tier }),
      responses: {
        200: namedObject('Preview', { due_now_minor: z.int(), currency: z.string(), effective_at: instant }),
      },
      errors: ['CONFLICT'],
    },
    changePlan: {
      ...planChange,
      endpoint: 'POST /api/billing/change',
      summary: 'Change the plan',
      description: 'An upgrade takes effect immediately, and a downgrade at the start of the next period.',
      body: z.strictObject({ tier, entry: upgradeEntry.optional() }),
    },
    cancelPlan: {
      ...planChange,
      endpoint: 'POST /api/billing/cancel',
      summary: 'Cancel the plan',
      description: 'The plan stays active until its paid period ends.',
    },
    resumePlan: {
      ...planChange,
      endpoint: 'POST /api/billing/resume',
      summary: 'Undo a cancellation or downgrade',
    },
    openPaymentPortal: {
      endpoint: 'POST /api/billing/portal',
      summary: 'Open the billing portal',
      responses: { 201: namedObject('PaymentPortal', { url: z.string() }) },
      errors: ['CONFLICT'],
    },
    syncBilling: {
      endpoint: 'POST /api/billing/sync',
      summary: 'Sync payments after a checkout',
      body: z.strictObject({ checkout_id: z.uuid().optional() }),
      responses: {
        200: billing
          .extend({
            checkout: z
              .object({ id: z.uuid(), status: z.enum(['creating', 'open', 'complete', 'expired']), tier })
              .nullable(),
          })
          .meta({ id: 'SyncedBilling' }),
      },
      errors: ['NOT_FOUND', 'TIER_UNAVAILABLE'],
    },
  },
);

export const routes = { ...readRoutes, ...sellingRoutes };

/** Parts of revenue that can be downloaded. The first three are the net revenue by source, bucket and plan. */
export const revenueFile = z.enum(['source', 'bucket', 'tier', 'mrr', 'funnel', 'cohorts']);

export type RevenueFile = z.infer<typeof revenueFile>;

const isoDate = z.iso.date();
const dateRange = {
  from: isoDate.optional().describe('First day in UTC. Default: the first day with data.'),
  to: isoDate.optional().describe('Last day in UTC.'),
};
const minor = z.number().int().describe('In the smallest unit of the currency.');
const entrySource = z.string().nullable().describe('Null if the source is unknown.');

const netRevenue = namedObject('NetRevenue', {
  label: z.string(),
  bucket: z.string().nullable(),
  entry_source: entrySource,
  currency: z.string(),
  net_minor: minor,
  new_subscriptions: z.int(),
});
const net = z.array(netRevenue);

/** Net revenue of one group in one currency: paid invoices without tax, less refunds and disputes. */
export type NetRevenue = z.infer<typeof netRevenue>;

const revenue = z
  .object({
    source: net,
    bucket: net,
    tier: net,
    mrr: z.array(
      z.object({
        month: isoDate.describe('The first day of the month.'),
        currency: z.string(),
        start_minor: minor,
        new_minor: minor,
        expansion_minor: minor,
        reactivation_minor: minor,
        contraction_minor: minor,
        churn_minor: minor,
        end_minor: minor,
      }),
    ),
    funnel: z.array(
      z.object({
        label: z.string(),
        day: isoDate,
        entry_source: entrySource,
        clicked: z.int(),
        viewed_plans: z.int(),
        viewed_modal: z.int(),
        confirmed: z.int(),
        started: z.int(),
        paid: z.int(),
      }),
    ),
    cohorts: z.array(
      z.object({
        label: z.string(),
        month: isoDate.describe('The first day of the month.'),
        entry_source: entrySource,
        currency: z.string(),
        payers: z.int(),
        paying_now: z.int(),
        mrr_minor: minor,
      }),
    ),
  })
  .meta({ id: 'Revenue', description: 'Revenue as totals per currency, without data of single members.' });

export type RevenueResponse = z.infer<typeof revenue>;
export const revenueRoutes = defineRoutes(
  {
    tag: { name: 'Revenue', description: 'Revenue reports for operators. These routes have their own token.' },
    access: 'operator',
  },
  {
    readRevenue: {
      endpoint: 'GET /api/operator/revenue',
      summary: 'Get the revenue report',
      query: z.strictObject(dateRange),
      responses: { 200: revenue },
      errors: ['NOT_FOUND'],
    },
    readRevenueFile: {
      endpoint: 'GET /api/operator/revenue/{file}',
      summary: 'Export a part of the revenue report as CSV',
      description: 'Cells that a spreadsheet would run as a formula are escaped.',
      params: z.object({ file: z.string().describe(`One of ${revenueFile.options.join(', ')}, followed by .csv.`) }),
      query: z.strictObject(dateRange),
      responses: { 200: { description: 'The CSV file.', mediaTypes: ['text/csv'] } },
      errors: ['NOT_FOUND'],
    },
  },
);
