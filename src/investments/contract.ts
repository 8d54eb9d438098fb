import { z } from 'zod';
import { line } from '../database/contract.ts';
import { assetType, date, sampleData } from '../market-data/contract.ts';

/** The shapes of accounts, holdings, search, net worth, earnings, news and the dashboard's layout. */

/** Most accounts a member may have, and most holdings in all. */
export const ACCOUNT_LIMIT = 50;
export const HOLDING_LIMIT = 1000;

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
/** ISO 4217, those in use. */
const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, { error: 'Three capital letters, such as USD.', abort: true })
  .refine((code) => CURRENCIES.has(code), 'There is no such currency; name one by its code, such as USD.');
const symbol = line.min(1).max(32);
const accountName = line.min(1).max(120);
/** Cash in the account's currency, below zero where it is overdrawn; kept to four decimals. */
const balance = z.number().min(-1e15).max(1e15);
/** Shares, or a bond's face value; kept to ten decimals. */
const quantity = z.number().min(1e-10).max(1e12);
/** What was paid in all, in the listing's currency; kept to four decimals. */
const costBasis = z.number().min(0).max(1e15).nullable();
const atLeastOne = (body: object) => Object.keys(body).length > 0;
const nothingToChange = { message: 'Name at least one field to change.' };

/** `price_unit` says what `price` is: an amount of `currency`, or a bond's percent of par (never shown as an amount). */
const priced = {
  symbol: z.string(),
  /** The symbol, where the catalog knows no name. */
  name: z.string(),
  logo: z.string().nullable(),
  logo_source: z.enum(['registry', 'issuer']).nullable(),
  asset_type: assetType,
  currency: z.string().nullable(),
  price: z.number().nullable(),
  price_unit: z.enum(['currency', 'percent_of_par']),
  price_at: z.iso.datetime().nullable(),
};
// Accounts

export const account = z.object({
  id: z.uuid(),
  name: z.string(),
  kind: z.enum(['manual', 'bank', 'brokerage']),
  currency: z.string(),
  balance: z.number(),
  holding_count: z.int(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type Account = z.infer<typeof account>;

/** `GET /api/accounts`, oldest first. */
export const accountList = z.object({ accounts: z.array(account), limit: z.int() });
/** `POST /api/accounts` -> 201. Over the limit: 403 LIMIT_REACHED with `limit`. */
export const newAccountRequest = z.strictObject({
  name: accountName,
  currency: currency.default('USD'),
  balance: balance.default(0),
});
/** `PATCH /api/accounts/{id}`: what is left out stays. A connected account's balance is its bank's: 409 CONFLICT. */
export const accountChanges = z
  .strictObject({ name: accountName, balance })
  .partial()
  .refine(atLeastOne, nothingToChange);
export const accountResponse = z.object({ account });
/** `DELETE /api/accounts/{id}` -> 204, with its holdings. */
export const idParams = z.object({ id: z.string() });

// Holdings

export const holding = z.object({
  id: z.uuid(),
  account_id: z.uuid(),
  account_name: z.string(),
  ...priced,
  quantity: z.number(),
  cost_basis: z.number().nullable(),
  /** At the newest price, in `currency`; null where there is no price. A bond: face value x price / 100. */
  value: z.number().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type Holding = z.infer<typeof holding>;

/** `GET /api/investments/holdings`, by account, then by symbol. */
export const holdingList = z.object({ holdings: z.array(holding), limit: z.int(), ...sampleData });
/**
 * `POST /api/investments/holdings` (Add Investment) -> 201. 404 UNKNOWN_SYMBOL, 422 UNSUPPORTED_ASSET (crypto), 404 NOT_FOUND
 * (not the caller's account), 503 UNAVAILABLE (the provider is away and the symbol is new), 403 LIMIT_REACHED.
 */
export const newHoldingRequest = z.strictObject({
  account_id: z.uuid(),
  symbol,
  quantity,
  cost_basis: costBasis.default(null),
});
/** `PATCH /api/investments/holdings/{id}`; the symbol and the account never change. `DELETE` -> 204. */
export const holdingChanges = z
  .strictObject({ quantity, cost_basis: costBasis })
  .partial()
  .refine(atLeastOne, nothingToChange);
export const holdingResponse = z.object({ holding, ...sampleData });

// Positions: what is held of each symbol across accounts

/** One account's part of a position, in the shape that the ticker detail shows too. */
export const positionPart = z.object({
  account_id: z.uuid(),
  account_name: z.string(),
  quantity: z.number(),
  value: z.number().nullable(),
  /** Null where it is not known of every holding in it. */
  cost_basis: z.number().nullable(),
  currency: z.string().nullable(),
});
export type PositionPart = z.infer<typeof positionPart>;

export const position = z.object({
  ...priced,
  /** In percent; null for funds and bonds, whose feeds bring no day move. */
  change_1d: z.number().nullable(),
  quantity: z.number(),
  value: z.number().nullable(),
  cost_basis: z.number().nullable(),
  accounts: z.array(positionPart),
});
export type Position = z.infer<typeof position>;

/** `GET /api/investments/positions`, by symbol. */
export const positionList = z.object({ positions: z.array(position), ...sampleData });

// Net worth

export const netWorthQuery = z.strictObject({ days: z.coerce.number().int().min(1).max(1830).default(366) });
/** `GET /api/net-worth?days=`: one entry per currency, never converted into one another. Watched tickers never count. */
export const netWorthResponse = z.object({
  currencies: z.array(
    z.object({
      currency: z.string(),
      /** Now: `cash` + `investments` = `total`. */
      cash: z.number(),
      investments: z.number(),
      total: z.number(),
      /** Ends of days, oldest first; today's is there once its snapshot is taken. Those of sample prices only as long as nothing real is known. */
      history: z.array(z.object({ date, cash: z.number(), investments: z.number(), total: z.number() })),
    }),
  ),
  /** Held symbols that have no price and are therefore in no figure above. */
  unpriced: z.array(z.string()),
  ...sampleData,
});
export type NetWorthResponse = z.infer<typeof netWorthResponse>;
