import { z } from 'zod';
import { line } from '../../../platform/database/contract.ts';
import {
  defineRoutes,
  limitReached,
  namedObject,
  namedStrictObject,
  noContent,
} from '../../../platform/http/contract.ts';
import { assetType, date, referenceCurrency, sampleData } from '../../../market-data/contract.ts';
import {
  currentAmounts,
  explainQuery,
  explanation,
  investmentsTag,
  sessionDay,
  usedRates,
} from '../net-worth/contract.ts';

/** Maximum number of a member's manual holdings over all accounts. */
export const HOLDING_LIMIT = 1000;

const symbol = line.min(1).max(32);

/** Number of shares, or a bond's face value. */
const quantity = z.number().min(1e-10).max(1e12).describe('Rounded to ten decimals.');

/** Total amount paid in the listing's currency. */
const costBasis = z.number().min(0).max(1e15).nullable().describe('Rounded to four decimals.');

export const hasAnyField = (body: object) => Object.keys(body).length > 0;

export const noChangesError = { message: 'Name at least one field to change.' };

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
export const holdingTotals = namedObject('HoldingTotals', {
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

export const idParams = z.object({ id: z.string() });

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
  cost_basis: z.number().nullable().describe('Cost from the institution, in `currency`.'),
  gain: gain.nullable().describe('Null without value or cost.'),
  currency: z.string(),
  as_of: z.iso.datetime(),
  ...holdingExplanations,
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
  rate: z.number().describe('Units of the base currency for one of `currency`, not rounded.'),
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

const accountCash = namedObject('AccountCash', {
  ...accountReference,
  currency: z.string(),
  balance: z.number().describe('Negative for debt.'),
  base: z.number().nullable().describe('In the base currency, rounded to eight decimals. Null without a rate.'),
});
export type AccountCash = z.infer<typeof accountCash>;

export const portfolioHoldings = namedObject('PortfolioHoldings', {
  currency: referenceCurrency.describe('Base currency. USD if the member has chosen none.'),
  holdings: z.array(portfolioHolding).describe('By account, oldest first, then by symbol.'),
  cash: z.array(accountCash).describe('Accounts with cash or debt, oldest first.'),
  base: z.object(currentAmounts).describe('Amounts of the net worth in the base currency, at this moment.'),
  rates: usedRates.describe('Rates of the other currencies of holdings and cash.'),
  ...sessionDay,
  ...sampleData,
});
export type PortfolioHoldings = z.infer<typeof portfolioHoldings>;
export type PositionList = z.infer<typeof positionList>;

/** Days before today that holdings are valued at. */
export const PAST_DAYS = 366;
/** Number of symbols that are valued at past prices, most valuable first. */
export const MAX_VALUED_SYMBOLS = 200;
/** Share of the holdings' value that those with past prices must have. */
export const MIN_VALUED_SHARE = 0.8;
/** Stored closes that a symbol needs to be valued at past prices, about a month of them. */
export const MIN_CLOSES = 20;

const holdingsAtPastPrices = namedObject('HoldingsAtPastPrices', {
  currency: referenceCurrency.describe('Base currency. USD if the member has chosen none.'),
  points: z
    .array(z.object({ date, value: z.number().describe("At the day's closes and today's exchange rates.") }))
    .describe(
      'One per day of trading, oldest first, from the first day on which each symbol has a close. The last one is today at ' +
        `current prices. Empty if the holdings that are not in \`excluded\` have less than ${MIN_VALUED_SHARE * 100} % of the value.`,
    ),
  excluded: z
    .array(z.string())
    .describe(
      `Holdings that the values omit: without a price, a rate or ${MIN_CLOSES} closes, or beyond the ${MAX_VALUED_SYMBOLS} most ` +
        'valuable symbols.',
    ),
  ...sampleData,
});
export type HoldingsAtPastPrices = z.infer<typeof holdingsAtPastPrices>;

export const routes = defineRoutes(
  { tag: investmentsTag },
  {
    listHoldings: {
      endpoint: 'GET /api/investments/holdings',
      summary: 'List holdings',
      query: explainQuery,
      responses: { 200: holdingList },
    },
    exportHoldings: {
      endpoint: 'GET /api/investments/holdings/export.csv',
      summary: 'Export holdings as CSV',
      description: 'The import reads this file.',
      responses: { 200: { description: 'The CSV file.', mediaTypes: ['text/csv'] } },
    },
    addHolding: {
      endpoint: 'POST /api/investments/holdings',
      summary: 'Add a holding',
      body: newHoldingRequest,
      responses: { 201: holdingResponse },
      errors: ['DEMO_MODE', 'NOT_FOUND', 'CONFLICT', 'UNKNOWN_SYMBOL', 'UNSUPPORTED_ASSET', limitReached],
    },
    changeHolding: {
      endpoint: 'PATCH /api/investments/holdings/{id}',
      summary: 'Update a holding',
      description: 'A holding of a connection cannot be changed and returns 409.',
      params: idParams,
      body: holdingChanges,
      responses: { 200: holdingResponse },
      errors: ['DEMO_MODE', 'NOT_FOUND', 'CONFLICT'],
    },
    deleteHolding: {
      endpoint: 'DELETE /api/investments/holdings/{id}',
      summary: 'Delete a holding',
      params: idParams,
      responses: { 204: noContent('It is deleted.') },
      errors: ['DEMO_MODE', 'NOT_FOUND', 'CONFLICT'],
    },
    listPositions: {
      endpoint: 'GET /api/investments/positions',
      summary: 'List positions',
      query: explainQuery,
      responses: { 200: positionList },
    },
    listPortfolioHoldings: {
      endpoint: 'GET /api/portfolio/holdings',
      summary: 'List holdings with their amounts in the base currency',
      description: 'Includes holdings that the catalog does not list. Cash is listed apart.',
      query: explainQuery,
      responses: { 200: portfolioHoldings },
    },
    valueHoldingsAtPastPrices: {
      endpoint: 'GET /api/portfolio/holdings/past-prices',
      summary: 'Value the current holdings at past prices',
      description:
        `Returns what today's holdings would have been worth on each day of the last ${PAST_DAYS} days. This is no history: ` +
        'it contains no cash, purchases or sales, and no part of net worth, its changes or exports contains it. Only stored ' +
        'closes are read.',
      responses: { 200: holdingsAtPastPrices },
    },
  },
);
