import { z } from 'zod';
import { defineRoutes, namedObject, namedStrictObject } from '../../../platform/http/contract.ts';
import { date, referenceCurrency, sampleData } from '../../../market-data/contract.ts';

/** Operations of accounts, holdings and net worth have one section of the API's documentation. */
export const investmentsTag = {
  name: 'Investments',
  description: 'The member’s accounts, holdings, positions and net worth.',
};

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

export const explainQuery = z.object({
  explain: z.enum(['0', '1']).optional().describe('1 adds to each figure how it came about.'),
});

export const sessionDay = {
  session_day: date.describe('Day of the latest trading session, to which the day changes belong.'),
};

/** Amounts without a rate to the base currency. */
export const excludedAmounts = z
  .array(z.object({ currency: z.string(), amount: z.number(), reason: z.literal('no_rate') }))
  .describe('Amounts without a rate, which the figures omit.');

/** Rates of currencies other than the base currency. */
export const usedRates = z.array(
  z.object({
    currency: z.string(),
    rate: z.number().describe('Amount of the base currency for one unit, rounded to ten digits.'),
    rate_date: date.describe('Day of publication. Weekends and holidays have the rate of the day before.'),
    stale: z.boolean().describe('True if the rate is more than seven days old.'),
  }),
);

export const currentAmounts = {
  cash: z.number().describe('Positive balances: `cash` + `investments` + `liabilities` = `total`.'),
  liabilities: z.number().describe('Negative balances, such as of credit cards. Zero or negative.'),
  investments: z.number(),
  total: z.number(),
};

/** Days of history that are kept. */
export const MAX_HISTORY_DAYS = 1830;

const netWorthQuery = z.strictObject({
  days: z.coerce.number().int().min(1).max(MAX_HISTORY_DAYS).default(366),
  ...explainQuery.shape,
});

/** Amounts at the end of a day. */
const dailyAmounts = {
  cash: z.number().describe('Less liabilities: `cash` + `investments` = `total`.'),
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
    .describe(
      'Terms of `market`, one per currency. For `1d` they are the day change of all holdings and what it lacks. With ' +
        'those of `exchange_rates` they are the terms of `gain`.',
    ),
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

const portfolioSettings = namedObject('PortfolioSettings', {
  base_currency: referenceCurrency
    .nullable()
    .describe('Currency of net worth. Null if none was chosen; it is USD then.'),
});

const portfolioSettingsChanges = namedStrictObject('PortfolioSettingsChanges', { base_currency: referenceCurrency });
export const routes = defineRoutes(
  { tag: investmentsTag },
  {
    getNetWorth: {
      endpoint: 'GET /api/net-worth',
      summary: 'Get net worth',
      description:
        'Returns the current net worth and its daily history, one entry per currency, and as one sum in the base currency.',
      query: netWorthQuery,
      responses: { 200: netWorthResponse },
    },
    exportNetWorth: {
      endpoint: 'GET /api/net-worth/export.csv',
      summary: 'Export the history of net worth as CSV',
      description: 'Has the daily values of the last five years in the base currency.',
      responses: { 200: { description: 'The CSV file.', mediaTypes: ['text/csv'] } },
    },
    getPortfolioSettings: {
      endpoint: 'GET /api/portfolio/settings',
      summary: 'Get the base currency',
      responses: { 200: portfolioSettings },
    },
    changePortfolioSettings: {
      endpoint: 'PATCH /api/portfolio/settings',
      summary: 'Change the base currency',
      description: 'Net worth is converted anew. Accounts, holdings and prices keep their currencies.',
      body: portfolioSettingsChanges,
      responses: { 200: portfolioSettings },
      errors: ['DEMO_MODE'],
    },
  },
);
