import { z } from 'zod';
import { line } from '../../../platform/database/contract.ts';
import {
  defineRoutes,
  limitReached,
  namedObject,
  namedStrictObject,
  noContent,
} from '../../../platform/http/contract.ts';
import { isCurrency, referenceCurrency } from '../../../market-data/contract.ts';
import { excludedAmounts, explainQuery, explanation, investmentsTag, usedRates } from '../net-worth/contract.ts';
import { hasAnyField, holdingTotals, idParams, noChangesError } from '../holdings/contract.ts';

/** Maximum number of a member's manual accounts. */
export const ACCOUNT_LIMIT = 50;

/** Current ISO 4217 codes. */
const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, { error: 'Three capital letters, such as USD.', abort: true })
  .refine(isCurrency, 'There is no such currency; name one by its code, such as USD.');

const accountName = line.min(1).max(120);

/** Cash in the account's currency, negative if overdrawn. */
const balance = z.number().min(-1e15).max(1e15).describe('Rounded to four decimals.');

const account = namedObject('Account', {
  id: z.uuid(),
  name: z.string(),
  kind: z.enum(['manual', 'bank', 'brokerage']),
  currency: z.string(),
  balance: z.number(),
  holding_count: z.int(),
  totals: z
    .array(holdingTotals)
    .optional()
    .describe('Holdings, one entry per currency. Cash is not included. Only in the list.'),
  base: z
    .object({
      value: z
        .number()
        .nullable()
        .describe(
          'Cash and holdings in the base currency, rounded to eight decimals. Null if nothing can be converted.',
        ),
      excluded: excludedAmounts,
      change_amount: z.number().nullable().describe('Day change of the holdings. Null if none has one.'),
      change_percent: z
        .number()
        .nullable()
        .describe('In percent of the value before the change. Null without a change or if that value is not positive.'),
    })
    .optional()
    .describe('The values of all accounts add up to `total`. Only in the list.'),
  explain: explanation.optional().describe('The term of `balance`. Only in the list with `explain=1`.'),
  explain_base: explanation.optional().describe('Terms of `base.value`. Only in the list with `explain=1`.'),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type Account = z.infer<typeof account>;
export type AccountBase = NonNullable<Account['base']>;

export const accountList = namedObject('Accounts', {
  currency: referenceCurrency.describe('Base currency. USD if the member has chosen none.'),
  accounts: z.array(account),
  total: z.number().describe('`base.total` of the net worth at this moment.'),
  limit: z.int(),
  rates: usedRates.describe("Rates of the accounts' other currencies."),
});

const newAccountRequest = namedStrictObject('NewAccountRequest', {
  name: accountName,
  currency: currency.default('USD'),
  balance: balance.default(0),
});

const accountChanges = z
  .strictObject({ name: accountName, balance })
  .partial()
  .refine(hasAnyField, noChangesError)
  .meta({ id: 'AccountChanges' });
export type AccountChanges = z.infer<typeof accountChanges>;

const accountResponse = namedObject('AccountResponse', { account });

/** `dry_run` returns the effects without any change. */
const mergeRequest = namedStrictObject('MergeAccountRequest', {
  duplicate_id: z.guid().describe('The manual account.'),
  dry_run: z.boolean().default(false).describe('Returns the result of the merge without changing anything.'),
});

const mergedHoldings = z.array(z.object({ symbol: z.string(), quantity: z.number() }));

const accountMerge = namedObject('AccountMerge', {
  balance: z.number().describe('Cash of the manual account, which is deleted.'),
  currency: z.string(),
  removed: mergedHoldings.describe(
    'Manual holdings that are deleted because the connected account has the same quantity.',
  ),
  kept: mergedHoldings.describe('Manual holdings that stay in the manual account.'),
  account_removed: z.boolean().describe('Whether the manual account is deleted. It is if no holding stays in it.'),
});
export type AccountMerge = z.infer<typeof accountMerge>;
export type AccountList = z.infer<typeof accountList>;
/** Account from its institution. Amounts are decimal text. */
export interface ConnectedAccount {
  externalId: string;
  name: string;
  mask: string | null;
  type: string | null;
  /** ISO 4217 code. */
  currency: string;
  /** Cash only, since investments are in the holdings. Negative for debt. Null keeps the stored balance. */
  balance: string | null;
}

/** Holding of a connected account. Without a symbol of the catalog its `value` counts. */
export interface ConnectedHolding {
  /** Ids of the account and of the holding in it. Every reading repeats them. */
  accountId: string;
  externalId: string;
  /** Null for holdings without a share price in the catalog: short positions, options, coins, bonds. */
  symbol: string | null;
  name: string;
  quantity: string;
  /** Total amount paid. */
  costBasis: string | null;
  currency: string;
  /** Total value according to the institution. */
  value: string | null;
  asOf: Date;
}

/** A complete reading of a connection. */
export interface ConnectedPortfolio {
  idpId: string;
  connectionId: string;
  kind: 'bank' | 'brokerage';
  accounts: readonly ConnectedAccount[];
  /** Null keeps the stored holdings and the stored accounts in other currencies. */
  holdings: readonly ConnectedHolding[] | null;
  /**
   * The access is new. Stored accounts with equal name and digits get the new external ids, and missing ones are kept
   * as left out.
   */
  hasNewExternalIds?: boolean;
}

export const routes = defineRoutes(
  { tag: investmentsTag },
  {
    listAccounts: {
      endpoint: 'GET /api/accounts',
      summary: 'List accounts',
      description: 'Oldest first.',
      query: explainQuery,
      responses: { 200: accountList },
    },
    createAccount: {
      endpoint: 'POST /api/accounts',
      summary: 'Create a manual account',
      body: newAccountRequest,
      responses: { 201: accountResponse },
      errors: ['DEMO_MODE', limitReached],
    },
    changeAccount: {
      endpoint: 'PATCH /api/accounts/{id}',
      summary: 'Update an account',
      description: 'An account of a connection cannot be changed and returns 409.',
      params: idParams,
      body: accountChanges,
      responses: { 200: accountResponse },
      errors: ['DEMO_MODE', 'NOT_FOUND', 'CONFLICT'],
    },
    deleteAccount: {
      endpoint: 'DELETE /api/accounts/{id}',
      summary: 'Delete an account with its holdings',
      description: 'An account of a connection can be deleted only if it is `left_out`. Otherwise the response is 409.',
      params: idParams,
      responses: { 204: noContent('It is deleted.') },
      errors: ['DEMO_MODE', 'NOT_FOUND', 'CONFLICT'],
    },
    mergeAccount: {
      endpoint: 'POST /api/accounts/{id}/merge',
      summary: 'Merge a manual account into a connected one',
      description:
        '`id` is the connected account. It receives the name of the manual account, unless it was ' +
        'renamed. Manual cash is deleted. A manual holding is deleted if the connected account has the ' +
        'same symbol and quantity, and has a cost if the manual holding has one. Other holdings are kept. ' +
        'Earlier daily net worth does not change.',
      params: idParams,
      body: mergeRequest,
      responses: { 200: accountMerge },
      errors: ['DEMO_ACCOUNT', 'DEMO_MODE', 'NOT_FOUND', 'CONFLICT'],
    },
    keepDuplicate: {
      endpoint: 'POST /api/accounts/{id}/keep-duplicate',
      summary: 'Keep a manual account that resembles a connected one',
      description: '`id` is the connected account. Its `duplicate` is null afterwards. Safe to repeat.',
      params: idParams,
      responses: { 204: noContent('The choice is stored.') },
      errors: ['DEMO_ACCOUNT', 'DEMO_MODE', 'NOT_FOUND'],
    },
  },
);
