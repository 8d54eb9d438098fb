import { z } from 'zod';

/** Schemas of the response fields that the service reads. Other fields are ignored. */

/** Number in decimal digits. Most amounts are strings and some are numbers. */
const amount = z.union([z.string(), z.number()]).transform((input, context) => {
  const text = String(input).trim();
  const value = text === '' ? Number.NaN : Number(text);
  if (Math.abs(value) < 1e12) return /^-?\d+(\.\d+)?$/.test(text) ? text : value.toFixed(12);
  context.addIssue({ code: 'custom', message: 'is no amount' });
  return z.NEVER;
});

const currency = z.string().regex(/^[A-Z]{3}$/);

export const registeredUser = z.object({ userId: z.string(), userSecret: z.string().min(1) });
export const portalLink = z.object({ redirectURI: z.url(), sessionId: z.string().nullish() });
export const anyResponse = z.unknown();

export const authorization = z.object({
  id: z.string().min(1),
  disabled: z.boolean().nullish(),
  brokerage: z.object({ slug: z.string().nullish(), name: z.string().nullish(), display_name: z.string().nullish() }),
});
export type Authorization = z.infer<typeof authorization>;

export const account = z.object({
  id: z.string().min(1),
  name: z.string().nullish(),
  number: z.string().nullish(),
  raw_type: z.string().nullish(),
  account_category: z.string().nullish(),
  balance: z
    .object({ total: z.object({ amount: amount.nullish(), currency: currency.nullish() }).nullish() })
    .nullish(),
  sync_status: z
    .object({
      holdings: z
        .object({ initial_sync_completed: z.boolean().nullish(), holdings_unavailable: z.boolean().nullish() })
        .nullish(),
    })
    .nullish(),
});
export type BrokerageAccount = z.infer<typeof account>;

export const balance = z.object({ currency: z.object({ code: currency }), cash: amount.nullish() });
export type Balance = z.infer<typeof balance>;

export const positions = z.object({
  results: z.array(
    z.object({
      instrument: z.object({
        kind: z.string(),
        id: z.string().min(1),
        symbol: z.string().nullish(),
        description: z.string().nullish(),
        currency: currency.nullish(),
        multiplier: amount.nullish(),
      }),
      units: amount.nullish(),
      price: amount.nullish(),
      cost_basis: amount.nullish(),
      currency: currency.nullish(),
      cash_equivalent: z.boolean().nullish(),
    }),
  ),
  data_freshness: z.object({ as_of: z.string() }).nullish(),
});
export type Positions = z.infer<typeof positions>;
export type Position = Positions['results'][number];
