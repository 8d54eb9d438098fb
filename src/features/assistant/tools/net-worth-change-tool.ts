import { z } from 'zod';
import { createRemarks } from './remarks.ts';
import { createTableResult, defineTool } from './tool.ts';
import type { ToolContext } from './tool-context.ts';

/** Tool that returns the change of net worth. */
export const netWorthChangeTool = defineTool({
  name: 'net_worth_change',
  title: 'Net worth change',
  description:
    'Net worth now and at the end of the first known day of the period, per currency (never converted), split into ' +
    'cash (less liabilities such as card debt) and investments. The notes have the sum in the base currency and its change, split into market, exchange ' +
    'rates and flows (added or withdrawn), with a time-weighted percentage: name flows apart, never as a gain. ' +
    '`explain` has the terms of the sum: cash and holdings with source and time of the price, the rate and its date. ' +
    'Gains of single holdings are in run_sql (holdings, closes).',
  inputSchema: z.strictObject({ days: z.int().min(1).max(366).default(30).describe('Calendar days back.') }),
  async run(context, { days }) {
    const { base, currencies, explain, unpriced, sample_data: sample } = await context.getNetWorth(days);
    const rows = listHeldCurrencies(currencies).map(
      ({ currency, cash, liabilities, investments, total, history: [first] }) => [
        currency,
        total,
        // As at the end of a day, less liabilities.
        Number((cash + liabilities).toPrecision(15)),
        investments,
        first?.date ?? null,
        first?.total ?? null,
        first?.cash ?? null,
        first?.investments ?? null,
      ],
    );
    const change = getChangeOfRequestedDays(base);
    return createTableResult(
      ['currency', 'total_now', 'cash_now', 'investments_now', 'since', 'total_then', 'cash_then', 'investments_then'],
      rows,
      {
        explain,
        notes: [
          `Net worth in the base currency: ${base.total} ${base.currency}.`,
          ...(change ? [describeChange(change, base.currency)] : []),
          ...base.excluded.map((part) => `Not included (no exchange rate): ${part.amount} ${part.currency}.`),
          ...(unpriced.length > 0 ? [`Not included (no price): ${unpriced.join(', ')}.`] : []),
          ...createRemarks({ sample }),
        ],
      },
    );
  },
});

type CurrencyNetWorth = Awaited<ReturnType<ToolContext['getNetWorth']>>['currencies'][number];
type BaseNetWorth = Awaited<ReturnType<ToolContext['getNetWorth']>>['base'];
type NetWorthChange = BaseNetWorth['changes'][number];

/** Returns the currencies that the member has now or had on the first day. An empty account has a currency of its own. */
export const listHeldCurrencies = (currencies: CurrencyNetWorth[]): CurrencyNetWorth[] =>
  currencies.filter(
    ({ cash, liabilities, investments, history: [first] }) =>
      cash !== 0 || liabilities !== 0 || investments !== 0 || (first !== undefined && first.total !== 0),
  );

/** Returns the change over the requested days. Undefined without an earlier day. */
export const getChangeOfRequestedDays = ({ changes }: BaseNetWorth): NetWorthChange | undefined =>
  changes.find(({ period }) => period === 'all');

const describeChange = (change: NetWorthChange, currency: string): string =>
  `Change since ${change.from} in ${currency}: market ${change.market}, exchange rates ${change.exchange_rates}, ` +
  `flows ${change.flows}; time-weighted return ${change.percent === null ? 'unknown' : `${change.percent.toFixed(4)}%`}.`;
