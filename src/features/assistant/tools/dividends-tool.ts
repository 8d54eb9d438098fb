import { z } from 'zod';
import { addMonths } from '../../../market-data/domain/dividends.ts';
import { marketCalendar } from '../../../market-data/domain/market-calendar.ts';
import { findPosition, symbolInput } from './member-symbol.ts';
import { createRemarks } from './remarks.ts';
import { createRecordsResult, defineTool } from './tool.ts';

/** Rows of a result, which a model reads whole. */
const MAX_ROWS = 200;
/** Months before and after the current one that have income. */
const MAX_MONTHS = 12;

/** Tool that returns the dividend income of the member's holdings. */
export const dividendsTool = defineTool({
  name: 'dividend_income',
  title: 'Dividend income',
  description:
    'Dividends of what the member holds, per security and month in the base currency, before taxes. status `paid`: only ' +
    'of holdings of own accounts whose quantity has not changed since. `declared`: announced. `expected`: an estimate ' +
    'from the last payment: say so. The notes have the sums of the next 90 days and twelve months, and the yields.',
  inputSchema: z.strictObject({
    symbol: symbolInput.optional(),
    months: z.int().min(0).max(MAX_MONTHS).default(MAX_MONTHS).describe('Months before and after the current one.'),
  }),
  async run(context, { symbol, months }) {
    const position = symbol === undefined ? undefined : findPosition((await context.getPortfolio()).positions, symbol);
    if (symbol !== undefined && !position) return { ok: false, message: `The member holds no ${symbol}.` };
    const { rows, dividends } = await context.getDividendIncome();
    const { currency, excluded, complete, sample_data: sample } = dividends;
    const today = marketCalendar.toNewYorkDate(context.now());
    const [first, last] = [-months, months].map((count) => addMonths(today, count).slice(0, 7)) as [string, string];
    const records = rows
      .filter((row) => (!position || row.symbol === position.symbol) && row.month >= first && row.month <= last)
      .map((row) => ({ ...row, currency }));
    return createRecordsResult(
      ['month', 'symbol', 'name', 'status', 'income', 'currency'],
      records.slice(0, MAX_ROWS),
      {
        truncated: records.length > MAX_ROWS,
        notes: [
          describeIncome('90 days', dividends.income_90_days, currency),
          describeIncome('twelve months', dividends.income_12_months, currency),
          ...describeYield('value', dividends.yield_on_value),
          ...describeYield('cost', dividends.yield_on_cost),
          ...excluded.map((part) => `Not included (no exchange rate): ${part.amount} ${part.currency}.`),
          ...createRemarks({ complete, sample }),
        ],
      },
    );
  },
});

const describeIncome = (period: string, income: number | null, currency: string): string =>
  `Income of all holdings in the next ${period}: ${income === null ? 'none known' : `${income} ${currency}`}.`;

const describeYield = (base: string, percent: number | null): string[] =>
  percent === null ? [] : [`Yield on ${base}: ${percent}%.`];
