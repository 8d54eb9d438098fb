import { z } from 'zod';
import { createRemarks } from './remarks.ts';
import { createRecordsResult, defineTool } from './tool.ts';
import { findPosition, symbolInput } from './member-symbol.ts';

/** Tool that returns the member's position in one symbol, per account. */
export const positionTool = defineTool({
  name: 'my_position',
  title: 'Your position',
  description:
    'What the member holds of one symbol: quantity, value at the newest price, cost, day change and gain per account, ' +
    'with the day’s move of its price. cost_basis and gain are null where the cost is not known. `explain` has the ' +
    'terms of the value with the source and time of the price.',
  inputSchema: z.strictObject({ symbol: symbolInput }),
  async run(context, { symbol }) {
    const { positions, sample_data: sample } = await context.getPortfolio();
    const position = findPosition(positions, symbol);
    if (!position) return { ok: false, message: `The member holds no ${symbol}.` };
    const { accounts, ...positionFields } = position;
    return createRecordsResult(
      [
        'symbol',
        'name',
        'account',
        'quantity',
        'value',
        'cost_basis',
        'day_change',
        'gain',
        'gain_percent',
        'currency',
        'price',
        'price_unit',
        'change_1d_percent',
        'price_at',
      ],
      accounts.map((account) => ({
        ...positionFields,
        account: account.account_name,
        quantity: account.quantity,
        value: account.value,
        cost_basis: account.cost_basis,
        day_change: account.change_amount,
        gain: account.gain?.amount ?? null,
        gain_percent: account.gain?.percent ?? null,
        currency: account.currency ?? positionFields.currency,
        change_1d_percent: positionFields.change_1d,
      })),
      { notes: createRemarks({ sample }), explain: position.explain },
    );
  },
});
