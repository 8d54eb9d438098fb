import { z } from 'zod';
import { namedObject } from '../../../platform/http/contract.ts';
import { date, referenceCurrency, sampleData } from '../../../market-data/contract.ts';
import { excludedAmounts, explanation } from '../net-worth/contract.ts';

/** Schemas of dividends. How they are computed: docs/explanation/portfolio.md. */

/** A dividend per share. */
export const dividendFields = {
  ex_date: date.describe('First day on which a buyer does not receive it.'),
  payment_date: date.nullable().describe('Null if it is not known.'),
  amount: z.number().describe('Per share, adjusted for splits.'),
  currency: z.string().describe('Currency of `amount`, which may differ from that of the price.'),
  per_year: z.int().nullable().describe('Regular payments a year. Null for a special or irregular one.'),
};

const upcomingDividend = namedObject('UpcomingDividend', {
  symbol: z.string(),
  name: z.string().describe('The symbol if the catalog has no name.'),
  status: z.enum(['declared', 'expected']).describe('`declared`: announced. `expected`: an estimate.'),
  date: date.describe('Day of payment, or the ex-date if that is all that is known.'),
  ...dividendFields,
  quantity: z.number().nullable().describe('Shares held today over all accounts. Null if not held.'),
  base: z.number().nullable().describe('Income in the base currency. Null if not held, or without a rate.'),
  held: z.boolean(),
  watching: z.boolean(),
});
export type UpcomingDividend = z.infer<typeof upcomingDividend>;
/** What a payment is. `paid`: its day has passed. */
export type DividendStatus = UpcomingDividend['status'] | 'paid';

const yields = {
  yield_on_value: z.number().nullable().describe('Income of the next twelve months in percent of the value.'),
  yield_on_cost: z
    .number()
    .nullable()
    .describe('Income of the next twelve months in percent of the cost basis. Null without a cost.'),
};

const income = z.number().nullable();

/** Income of today's holdings in the base currency, before taxes. */
export const dividendsResponse = namedObject('Dividends', {
  currency: referenceCurrency.describe('Base currency. USD if the member has chosen none.'),
  payments: z
    .array(upcomingDividend)
    .describe('Of held and watched securities within the next 90 days, by date, held ones first.'),
  income_90_days: income.describe('Null if nothing is held that pays within 90 days.'),
  income_12_months: income.describe('Null if nothing is held that pays within twelve months.'),
  explain_90_days: explanation.optional().describe('Terms of `income_90_days`. Only with `explain=1`.'),
  explain_12_months: explanation.optional().describe('Terms of `income_12_months`. Only with `explain=1`.'),
  ...yields,
  holdings: z
    .array(z.object({ id: z.uuid(), income: z.number().describe('Of the next twelve months.'), ...yields }))
    .describe('Holdings that pay within twelve months.'),
  months: z
    .array(
      z.object({
        month: z.string().regex(/^\d{4}-\d{2}$/),
        paid: z.number().describe('Only of holdings whose quantity has not changed since before the ex-date.'),
        declared: z.number(),
        expected: z.number(),
      }),
    )
    .describe(
      'Up to the next twelve months, and the last twelve if a payment in them is known. Without those an empty first or last month is left out.',
    ),
  excluded: excludedAmounts,
  complete: z.boolean().describe('False if some securities were not looked up yet.'),
  ...sampleData,
});
export type DividendsResponse = z.infer<typeof dividendsResponse>;
