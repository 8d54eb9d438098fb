import { z } from 'zod';
import { line } from '../../platform/database/contract.ts';
import { defineRoutes, limitReached, namedObject, namedStrictObject, noContent } from '../../platform/http/contract.ts';
import { assetType, date, referenceCurrency, sampleData } from '../../market-data/contract.ts';

/** Maximum numbers of a member's accounts, and of holdings over all accounts. */
export const ACCOUNT_LIMIT = 50;
export const HOLDING_LIMIT = 1000;

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
/** Current ISO 4217 codes. */
const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, { error: 'Three capital letters, such as USD.', abort: true })
  .refine((code) => CURRENCIES.has(code), 'There is no such currency; name one by its code, such as USD.');
const symbol = line.min(1).max(32);
const accountName = line.min(1).max(120);
/** Cash in the account's currency, negative if overdrawn. */
const balance = z.number().min(-1e15).max(1e15).describe('Rounded to four decimals.');
/** Number of shares, or a bond's face value. */
const quantity = z.number().min(1e-10).max(1e12).describe('Rounded to ten decimals.');
/** Total amount paid in the listing's currency. */
const costBasis = z.number().min(0).max(1e15).nullable().describe('Rounded to four decimals.');
const hasAnyField = (body: object) => Object.keys(body).length > 0;
const noChangesError = { message: 'Name at least one field to change.' };

/** How a figure came about. Fields of a term are null where they are unknown or do not apply. */
export const explanation = z
  .object({
    terms: z
      .array(
        z.object({
          label: z.string().describe('Holding or cash with its account, or a part of a change.'),
          quantity: z.number().nullable().describe('Number of shares, or face value. Null for cash and cost.'),
          price: z
            .number()
            .nullable()
            .describe(
              'Price per share before conversion. In a day change: the change of the price. Null for cash, cost and a ' +
                'value from an institution.',
            ),
          price_currency: z
            .string()
            .nullable()
            .describe('Currency of `price`, and of `amount` before conversion. Without conversion: `currency`.'),
          price_unit: z.enum(['currency', 'percent_of_par']).nullable().describe('Unit of `price`. Null without it.'),
          price_at: z.iso.datetime().nullable().describe('Time of the price, or when the amount was stated.'),
          source: z
            .string()
            .nullable()
            .describe(
              'Provider of the price, such as `fmp`. For other amounts who stated it: `manual`, `bank`, `brokerage`.',
            ),
          rate: z.number().nullable().describe('Exchange rate, rounded to ten digits. Null without conversion.'),
          rate_date: date.nullable().describe('Day of publication of the rate.'),
          amount: z.number(),
          currency: z.string().nullable().describe('Currency of `amount`.'),
        }),
      )
      .describe('The amounts add up to the figure exactly. Empty if the figure is null.'),
    excluded: z
      .array(
        z.object({
          what: z.string(),
          amount: z.number().nullable().describe('Value in `currency`. Null if it is unknown.'),
          currency: z.string().nullable(),
          reason: z.enum(['no_price', 'no_change', 'no_cost', 'no_rate']),
        }),
      )
      .describe('What the figure omits.'),
  })
  .meta({ id: 'Explanation' });
export type Explanation = z.infer<typeof explanation>;
const explainQuery = z.object({
  explain: z.enum(['0', '1']).optional().describe('1 adds to each figure how it came about.'),
});
const holdingExplanations = {
  explain: explanation.optional().describe('Terms of `value`. Only with `explain=1`.'),
  explain_change: explanation.optional().describe('Terms of `change_amount`. Only with `explain=1`.'),
  explain_gain: explanation
    .optional()
    .describe('Terms of the amount of `gain`: value and negative cost. Only with `explain=1`.'),
};

/** `price_unit` is the unit of `price`: an amount of `currency`, or a bond's percentage of par (never an amount). */
const pricedFields = {
  symbol: z.string(),
  name: z.string().describe('The symbol if the catalog has no name.'),
  logo: z.string().nullable(),
  logo_source: z.enum(['registry', 'issuer']).nullable(),
  asset_type: assetType,
  currency: z.string().nullable(),
  price: z.number().nullable(),
  price_unit: z.enum(['currency', 'percent_of_par']),
  price_at: z.iso.datetime().nullable(),
};

/** Value minus cost. Sales are unknown, so no realized gain is included. */
const gain = namedObject('Gain', {
  amount: z.number().describe('Value minus cost basis, in `currency`.'),
  percent: z.number().nullable().describe('Percentage of the cost basis. Null for a cost of zero.'),
});
export type Gain = z.infer<typeof gain>;

const gainAndChange = {
  change_amount: z
    .number()
    .nullable()
    .describe('Day change of the whole holding, in `currency`. Null for funds and bonds, or without a previous close.'),
  gain: gain.nullable().describe('Null without a price, or if the cost of one of the holdings is unknown.'),
};

/** Totals of positions in one currency, without conversion. A holding that the catalog does not list is a position. */
const holdingTotals = namedObject('HoldingTotals', {
  currency: z.string(),
  value: z.number().nullable().describe('Null if no position has a price.'),
  change_amount: z.number().nullable().describe('Day change. Null if no position has one.'),
  change_percent: z
    .number()
    .nullable()
    .describe('Percentage of the value at the previous close. Positions without day change are left out.'),
  gain: gain.nullable().describe('Null if no position has both price and cost.'),
  without_price: z.int().describe('Number of positions without a price, which all figures omit.'),
  without_change: z.int().describe('Number of priced positions without day change, which the day change omits.'),
  without_cost: z.int().describe('Number of priced positions with unknown cost, which the gain omits.'),
  ...holdingExplanations,
});
export type HoldingTotals = z.infer<typeof holdingTotals>;

const sessionDay = {
  session_day: date.describe('Day of the latest trading session, to which the day changes belong.'),
};

/** Amounts without a rate to the base currency. */
const excludedAmounts = z
  .array(z.object({ currency: z.string(), amount: z.number(), reason: z.literal('no_rate') }))
  .describe('Amounts without a rate, which the figures omit.');

/** Rates of currencies other than the base currency. */
const usedRates = z.array(
  z.object({
    currency: z.string(),
    rate: z.number().describe('Amount of the base currency for one unit, rounded to ten digits.'),
    rate_date: date.describe('Day of publication. Weekends and holidays have the rate of the day before.'),
    stale: z.boolean().describe('True if the rate is more than seven days old.'),
  }),
);

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
    })
    .optional()
    .describe('The values of all accounts add up to `base.total` of the net worth. Only in the list.'),
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
const idParams = z.object({ id: z.string() });

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

const accountReference = { account_id: z.uuid(), account_name: z.string() };

const holding = namedObject('Holding', {
  id: z.uuid(),
  ...accountReference,
  ...pricedFields,
  quantity: z.number(),
  cost_basis: z.number().nullable(),
  value: z
    .number()
    .nullable()
    .describe('Value at the newest price, in `currency`. Null without a price. For a bond: face value x price / 100.'),
  ...gainAndChange,
  ...holdingExplanations,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type Holding = z.infer<typeof holding>;

/** Holding of a connected account without a price in the catalog: an option, a coin, a short position, a bond. */
const unlistedHolding = namedObject('UnlistedHolding', {
  id: z.uuid(),
  ...accountReference,
  name: z.string(),
  quantity: z.number().describe('Negative for debt.'),
  value: z.number().nullable().describe('Value from the institution, in `currency`.'),
  currency: z.string(),
  as_of: z.iso.datetime(),
  explain: holdingExplanations.explain,
});
export type UnlistedHolding = z.infer<typeof unlistedHolding>;

const holdingList = namedObject('Holdings', {
  holdings: z.array(holding),
  unlisted: z.array(unlistedHolding).optional().describe('Omitted if there are none.'),
  limit: z.int(),
  ...sampleData,
});
/** UNSUPPORTED_ASSET: crypto. UNAVAILABLE: the provider is unavailable and the symbol is new. */
const newHoldingRequest = namedStrictObject('NewHoldingRequest', {
  account_id: z.uuid(),
  symbol,
  quantity,
  cost_basis: costBasis.default(null),
});
/** Symbol and account never change. */
const holdingChanges = z
  .strictObject({
    quantity,
    cost_basis: costBasis,
    split: z
      .boolean()
      .describe(
        'True if `quantity` is the result of a stock split. Otherwise the difference counts as added or withdrawn.',
      ),
  })
  .partial()
  .refine(hasAnyField, noChangesError)
  .meta({ id: 'HoldingChanges' });
const holdingResponse = namedObject('HoldingResponse', { holding, ...sampleData });

/** Part of a position in one account, in the format of the ticker detail. */
export const positionPart = namedObject('PositionPart', {
  ...accountReference,
  quantity: z.number(),
  value: z.number().nullable(),
  cost_basis: z.number().nullable().describe('Null if it is unknown for one of the holdings.'),
  ...gainAndChange,
  currency: z.string().nullable(),
  ...holdingExplanations,
});
export type PositionPart = z.infer<typeof positionPart>;

/** Holdings of one symbol across accounts. */
export const position = namedObject('Position', {
  ...pricedFields,
  change_1d: z.number().nullable().describe('In percent. Null for funds and bonds, whose feeds have no day change.'),
  quantity: z.number(),
  value: z.number().nullable(),
  cost_basis: z.number().nullable(),
  ...gainAndChange,
  weight: z
    .number()
    .nullable()
    .describe('Percentage of the value of all holdings in the base currency. Null without a price or a rate.'),
  accounts: z.array(positionPart),
  ...holdingExplanations,
});
export type Position = z.infer<typeof position>;

const positionList = namedObject('Positions', {
  currency: referenceCurrency.describe('Base currency, of `weight`. USD if the member has chosen none.'),
  positions: z.array(position),
  unlisted: z.array(unlistedHolding).optional().describe('Omitted if there are none.'),
  totals: z.array(holdingTotals).describe('One entry per currency, the one with the most positions first.'),
  ...sessionDay,
  ...sampleData,
});

/** Amounts of a holding in the base currency, all at the current rate. */
const convertedAmounts = z.object({
  value: z.number(),
  cost_basis: z.number().nullable().describe('At the current rate, so a gain contains no change of the rate.'),
  change_amount: z.number().nullable(),
});

/** Holding in one account, with a symbol of the catalog or without. */
const portfolioHolding = namedObject('PortfolioHolding', {
  id: z.uuid(),
  ...accountReference,
  ...pricedFields,
  symbol: z.string().nullable().describe('Null for a holding that the catalog does not list.'),
  asset_type: assetType.nullable().describe('Null without a symbol.'),
  change_1d: z.number().nullable().describe('In percent. Null for funds and bonds, whose feeds have no day change.'),
  quantity: z.number().describe('Negative for debt.'),
  cost_basis: z.number().nullable(),
  value: z.number().nullable().describe('Value at the newest price, or from the institution, in `currency`.'),
  ...gainAndChange,
  base: convertedAmounts
    .nullable()
    .describe('Amounts in the base currency, rounded to eight decimals. Null without a value or a rate.'),
  explain: explanation.optional().describe('Terms of `base.value`. Only with `explain=1`.'),
  explain_change: explanation.optional().describe('Terms of `base.change_amount`. Only with `explain=1`.'),
  explain_gain: explanation
    .optional()
    .describe('Terms of the gain in the base currency: value and negative cost. Only with `explain=1`.'),
});
export type PortfolioHolding = z.infer<typeof portfolioHolding>;

export const portfolioHoldings = namedObject('PortfolioHoldings', {
  currency: referenceCurrency.describe('Base currency. USD if the member has chosen none.'),
  holdings: z.array(portfolioHolding).describe('By account, oldest first, then by symbol.'),
  rates: usedRates.describe("Rates of the holdings' other currencies."),
  ...sessionDay,
  ...sampleData,
});
export type PortfolioHoldings = z.infer<typeof portfolioHoldings>;

const netWorthQuery = z.strictObject({
  days: z.coerce.number().int().min(1).max(1830).default(366),
  ...explainQuery.shape,
});
/** Amounts at the end of a day. */
const dailyAmounts = {
  cash: z.number().describe('Less liabilities: `cash` + `investments` = `total`.'),
  investments: z.number(),
  total: z.number(),
};
const currentAmounts = {
  cash: z.number().describe('Positive balances: `cash` + `investments` + `liabilities` = `total`.'),
  liabilities: z.number().describe('Negative balances, such as of credit cards. Zero or negative.'),
  investments: z.number(),
  total: z.number(),
};
/** Change of net worth in the base currency. Source of the percentage: docs/explanation/portfolio.md. */
const netWorthChange = namedObject('NetWorthChange', {
  period: z
    .enum(['1d', '1w', '1m', '3m', 'ytd', '1y', 'all'])
    .describe(
      '`1d` begins at the end of the last day before `session_day`, `ytd` at the end of last year, `all` with the requested days.',
    ),
  from: date.describe('First day of the period that has a value.'),
  amount: z.number().describe('`market` + `flows` + `exchange_rates` = `amount`.'),
  market: z.number().describe('Change of prices.'),
  flows: z.number().describe('Money and holdings that were added, negative if withdrawn.'),
  exchange_rates: z.number().describe('Change of exchange rates.'),
  gain: z.number().describe('`market` + `exchange_rates` = `gain`.'),
  percent: z
    .number()
    .nullable()
    .describe('Time-weighted return of `gain`, independent of flows. Null if there was a day with debt only.'),
  explain_market: explanation
    .optional()
    .describe('Terms of `market`, one per currency. With those of `exchange_rates` they are the terms of `gain`.'),
  explain_flows: explanation.optional().describe('Terms of `flows`, one per day and currency.'),
  explain_exchange_rates: explanation.optional().describe('Terms of `exchange_rates`, one per currency.'),
});
/** Net worth in one currency, at dated rates. Each amount is rounded to four decimals. */
const baseNetWorth = namedObject('BaseNetWorth', {
  currency: referenceCurrency,
  chosen: z.boolean().describe('False if the member has no base currency yet. It is USD then.'),
  ...currentAmounts,
  history: z
    .array(
      z.object({
        date,
        ...dailyAmounts,
        flows: z
          .number()
          .optional()
          .describe('Amount added since the day before in the list, negative if withdrawn. Omitted if it is zero.'),
        excluded: z.array(z.string()).optional().describe('Currencies with an amount on this day, but without a rate.'),
      }),
    )
    .describe(
      'Values at the end of each day, at the last rates published by that day, oldest first. A day is omitted if a ' +
        'rate or the snapshot of one currency is missing, since the line would show a false gain or loss.',
    ),
  changes: z
    .array(netWorthChange)
    .describe('Changes up to now, one entry per period. A period without a day in the history is omitted.'),
  rates: usedRates.describe("Rates of the member's other currencies."),
  excluded: excludedAmounts,
});
export type BaseNetWorth = z.infer<typeof baseNetWorth>;
/** One entry per currency without conversion, and the sum in the base currency. Watched tickers never count. */
export const netWorthResponse = namedObject('NetWorth', {
  currencies: z.array(
    z.object({
      currency: z.string(),
      ...currentAmounts,
      history: z
        .array(z.object({ date, ...dailyAmounts }))
        .describe(
          'Values at the end of each day, oldest first. Today is included after its snapshot. Weeks more ' +
            'than 400 days ago have only their last day. Days with sample prices are omitted as soon as there ' +
            'are real prices.',
        ),
      explain: explanation.optional().describe('Terms of `total`. Only with `explain=1`.'),
    }),
  ),
  base: baseNetWorth,
  explain: explanation
    .optional()
    .describe(
      'Terms of `base.total`. Those without quantity are balances: the positive ones add up to `base.cash`, the ' +
        'negative ones to `base.liabilities`. The others add up to `base.investments`. Converted terms may differ from their product by 0.0001, so that the sum is exact. ' +
        'Only with `explain=1`.',
    ),
  unpriced: z.array(z.string()).describe('Held symbols without a price, which the figures omit.'),
  ...sessionDay,
  ...sampleData,
});
export type NetWorthResponse = z.infer<typeof netWorthResponse>;
export type AccountList = z.infer<typeof accountList>;
export type PositionList = z.infer<typeof positionList>;

const portfolioSettings = namedObject('PortfolioSettings', {
  base_currency: referenceCurrency
    .nullable()
    .describe('Currency of net worth. Null if none was chosen; it is USD then.'),
});
const portfolioSettingsChanges = namedStrictObject('PortfolioSettingsChanges', { base_currency: referenceCurrency });

const exampleAccount = {
  id: '0199a7c2-6a10-7c44-8d21-5b0e9f3c7a10',
  name: 'Savings',
  kind: 'manual',
  currency: 'USD',
  balance: 1250.5,
  holding_count: 1,
  created_at: '2025-11-03T14:30:00.000Z',
  updated_at: '2025-11-03T14:30:00.000Z',
};
const examplePricedFields = {
  symbol: 'AAPL',
  name: 'Apple Inc.',
  logo: '/api/logos/registry/AAPL',
  logo_source: 'registry',
  asset_type: 'stock',
  currency: 'USD',
  price: 269.05,
  price_unit: 'currency',
  price_at: '2025-11-03T21:00:00.000Z',
};
const exampleGain = { amount: 890.5, percent: 49.4722 };
const exampleAmounts = { quantity: 10, cost_basis: 1800, value: 2690.5, change_amount: -13.2, gain: exampleGain };
const exampleTerm = {
  label: 'AAPL in Savings',
  quantity: 10,
  price: 269.05,
  price_currency: 'USD',
  price_unit: 'currency',
  price_at: '2025-11-03T21:00:00.000Z',
  source: 'fmp',
  rate: null,
  rate_date: null,
  amount: 2690.5,
  currency: 'USD',
};
const exampleCashTerm = {
  ...exampleTerm,
  label: 'Cash in Savings',
  quantity: null,
  price: null,
  price_unit: null,
  price_at: '2025-11-03T14:30:00.000Z',
  source: 'manual',
  amount: 1250.5,
};
const exampleTotals = {
  currency: 'USD',
  value: 2690.5,
  change_amount: -13.2,
  change_percent: -0.4882,
  gain: exampleGain,
  without_price: 0,
  without_change: 0,
  without_cost: 0,
};
const exampleHolding = {
  id: '0199a7c2-7b31-7e02-a4c5-1d2e3f4a5b6c',
  account_id: exampleAccount.id,
  account_name: exampleAccount.name,
  ...examplePricedFields,
  ...exampleAmounts,
  created_at: '2025-11-03T14:30:00.000Z',
  updated_at: '2025-11-03T14:30:00.000Z',
};

export const routes = defineRoutes(
  { tag: { name: 'Investments', description: 'The member’s accounts, holdings, positions and net worth.' } },
  {
    listAccounts: {
      endpoint: 'GET /api/accounts',
      summary: 'List accounts',
      description: 'Oldest first.',
      query: explainQuery,
      responses: { 200: accountList },
      example: {
        response: {
          currency: 'USD',
          accounts: [{ ...exampleAccount, totals: [exampleTotals], base: { value: 3941, excluded: [] } }],
          limit: ACCOUNT_LIMIT,
          rates: [],
        },
      },
    },
    createAccount: {
      endpoint: 'POST /api/accounts',
      summary: 'Create a manual account',
      body: newAccountRequest,
      responses: { 201: accountResponse },
      errors: ['DEMO_MODE', limitReached],
      example: { body: { name: 'Savings', balance: 1250.5 }, response: { account: exampleAccount } },
    },
    changeAccount: {
      endpoint: 'PATCH /api/accounts/{id}',
      summary: 'Update an account',
      description: 'An account of a connection cannot be changed and returns 409.',
      params: idParams,
      body: accountChanges,
      responses: { 200: accountResponse },
      errors: ['DEMO_MODE', 'NOT_FOUND', 'CONFLICT'],
      example: {
        params: { id: exampleAccount.id },
        body: { balance: 1250.5 },
        response: { account: exampleAccount },
      },
    },
    deleteAccount: {
      endpoint: 'DELETE /api/accounts/{id}',
      summary: 'Delete an account with its holdings',
      description: 'An account of a connection can be deleted only if it is `left_out`. Otherwise the response is 409.',
      params: idParams,
      responses: { 204: noContent('It is deleted.') },
      errors: ['DEMO_MODE', 'NOT_FOUND', 'CONFLICT'],
      example: { params: { id: exampleAccount.id } },
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
      example: {
        params: { id: exampleAccount.id },
        body: { duplicate_id: '0199a7c2-6a10-7c44-8d21-5b0e9f3c7a11' },
        response: {
          balance: 1250.5,
          currency: 'USD',
          removed: [{ symbol: 'AAPL', quantity: 10 }],
          kept: [],
          account_removed: true,
        },
      },
    },
    keepDuplicate: {
      endpoint: 'POST /api/accounts/{id}/keep-duplicate',
      summary: 'Keep a manual account that resembles a connected one',
      description: '`id` is the connected account. Its `duplicate` is null afterwards. Safe to repeat.',
      params: idParams,
      responses: { 204: noContent('The choice is stored.') },
      errors: ['DEMO_ACCOUNT', 'DEMO_MODE', 'NOT_FOUND'],
      example: { params: { id: exampleAccount.id } },
    },
    listHoldings: {
      endpoint: 'GET /api/investments/holdings',
      summary: 'List holdings',
      query: explainQuery,
      responses: { 200: holdingList },
      example: { response: { holdings: [exampleHolding], limit: HOLDING_LIMIT, sample_data: false } },
    },
    addHolding: {
      endpoint: 'POST /api/investments/holdings',
      summary: 'Add a holding',
      body: newHoldingRequest,
      responses: { 201: holdingResponse },
      errors: ['DEMO_MODE', 'NOT_FOUND', 'CONFLICT', 'UNKNOWN_SYMBOL', 'UNSUPPORTED_ASSET', limitReached],
      example: {
        body: { account_id: exampleAccount.id, symbol: 'AAPL', quantity: 10, cost_basis: 1800 },
        response: { holding: exampleHolding, sample_data: false },
      },
    },
    changeHolding: {
      endpoint: 'PATCH /api/investments/holdings/{id}',
      summary: 'Update a holding',
      description: 'A holding of a connection cannot be changed and returns 409.',
      params: idParams,
      body: holdingChanges,
      responses: { 200: holdingResponse },
      errors: ['DEMO_MODE', 'NOT_FOUND', 'CONFLICT'],
      example: {
        params: { id: exampleHolding.id },
        body: { quantity: 10 },
        response: { holding: exampleHolding, sample_data: false },
      },
    },
    deleteHolding: {
      endpoint: 'DELETE /api/investments/holdings/{id}',
      summary: 'Delete a holding',
      params: idParams,
      responses: { 204: noContent('It is deleted.') },
      errors: ['DEMO_MODE', 'NOT_FOUND', 'CONFLICT'],
      example: { params: { id: exampleHolding.id } },
    },
    listPositions: {
      endpoint: 'GET /api/investments/positions',
      summary: 'List positions',
      query: explainQuery,
      responses: { 200: positionList },
      example: {
        response: {
          currency: 'USD',
          positions: [
            {
              ...examplePricedFields,
              ...exampleAmounts,
              change_1d: -0.49,
              weight: 100,
              accounts: [
                {
                  account_id: exampleAccount.id,
                  account_name: exampleAccount.name,
                  currency: 'USD',
                  ...exampleAmounts,
                },
              ],
            },
          ],
          totals: [exampleTotals],
          session_day: '2025-11-03',
          sample_data: false,
        },
      },
    },
    listPortfolioHoldings: {
      endpoint: 'GET /api/portfolio/holdings',
      summary: 'List holdings with their amounts in the base currency',
      description: 'Includes holdings that the catalog does not list. Cash is not included.',
      query: explainQuery,
      responses: { 200: portfolioHoldings },
      example: {
        response: {
          currency: 'GBP',
          holdings: [
            {
              id: exampleHolding.id,
              account_id: exampleAccount.id,
              account_name: exampleAccount.name,
              ...examplePricedFields,
              ...exampleAmounts,
              change_1d: -0.49,
              base: { value: 2047.25080354, cost_basis: 1369.65459, change_amount: -10.04413366 },
            },
          ],
          rates: [{ currency: 'USD', rate: 0.7609192105, rate_date: '2025-11-03', stale: false }],
          session_day: '2025-11-03',
          sample_data: false,
        },
      },
    },
    getNetWorth: {
      endpoint: 'GET /api/net-worth',
      summary: 'Get net worth',
      description:
        'Returns the current net worth and its daily history, one entry per currency, and as one sum in the base currency.',
      query: netWorthQuery,
      responses: { 200: netWorthResponse },
      example: {
        query: { days: 30, explain: '1' },
        response: {
          currencies: [
            {
              currency: 'USD',
              cash: 1250.5,
              liabilities: 0,
              investments: 2690.5,
              total: 3941,
              history: [{ date: '2025-11-02', cash: 1000.5, investments: 2703.7, total: 3704.2 }],
            },
          ],
          base: {
            currency: 'USD',
            chosen: true,
            cash: 1250.5,
            liabilities: 0,
            investments: 2690.5,
            total: 3941,
            history: [{ date: '2025-11-02', cash: 1000.5, investments: 2703.7, total: 3704.2 }],
            changes: [
              {
                period: '1d',
                from: '2025-11-02',
                amount: 236.8,
                market: -13.2,
                flows: 250,
                exchange_rates: 0,
                gain: -13.2,
                percent: -0.3338,
              },
            ],
            rates: [{ currency: 'GBP', rate: 1.3142, rate_date: '2025-11-03', stale: false }],
            excluded: [],
          },
          explain: {
            terms: [exampleTerm, exampleCashTerm],
            excluded: [{ what: 'Cash in Travel', amount: 6000, currency: 'TWD', reason: 'no_rate' }],
          },
          unpriced: [],
          session_day: '2025-11-03',
          sample_data: false,
        },
      },
    },
    getPortfolioSettings: {
      endpoint: 'GET /api/portfolio/settings',
      summary: 'Get the base currency',
      responses: { 200: portfolioSettings },
      example: { response: { base_currency: 'GBP' } },
    },
    changePortfolioSettings: {
      endpoint: 'PATCH /api/portfolio/settings',
      summary: 'Change the base currency',
      description: 'Net worth is converted anew. Accounts, holdings and prices keep their currencies.',
      body: portfolioSettingsChanges,
      responses: { 200: portfolioSettings },
      errors: ['DEMO_MODE'],
      example: { body: { base_currency: 'GBP' }, response: { base_currency: 'GBP' } },
    },
  },
);
