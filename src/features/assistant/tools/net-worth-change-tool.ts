import { z } from 'zod';
import { createRemarks } from './remarks.ts';
import { createTableResult, defineTool } from './tool.ts';

/** Tool that returns the change of net worth. */
export const netWorthChangeTool = defineTool({
  name: 'net_worth_change',
  title: 'Net worth change',
  description:
    'Net worth now and at the end of the first known day of the period, per currency (never converted), split into ' +
    'cash and investments. The notes have the sum in the base currency, and `explain` its terms: every account’s cash ' +
    'and every holding with the source and time of its price, the rate and its date. Deposits count as change; gains of single holdings are in run_sql (holdings, closes).',
  inputSchema: z.strictObject({ days: z.int().min(1).max(366).default(30).describe('Calendar days back.') }),
  async run(context, { days }) {
    const { base, currencies, explain, unpriced, sample_data: sample } = await context.getNetWorth(days);
    const rows = currencies.map(({ currency, cash, investments, total, history: [first] }) => [
      currency,
      total,
      cash,
      investments,
      first?.date ?? null,
      first?.total ?? null,
      first?.cash ?? null,
      first?.investments ?? null,
      first ? round(total - first.total) : null,
      first && first.total !== 0 ? round((100 * (total - first.total)) / Math.abs(first.total)) : null,
    ]);
    return createTableResult(
      [
        'currency',
        'total_now',
        'cash_now',
        'investments_now',
        'since',
        'total_then',
        'cash_then',
        'investments_then',
        'change',
        'change_percent',
      ],
      rows,
      {
        explain,
        notes: [
          `Net worth in the base currency: ${base.total} ${base.currency}.`,
          ...(unpriced.length > 0 ? [`Not included (no price): ${unpriced.join(', ')}.`] : []),
          ...createRemarks({ sample }),
        ],
      },
    );
  },
});

const round = (figure: number): number => Math.round(figure * 100) / 100;
