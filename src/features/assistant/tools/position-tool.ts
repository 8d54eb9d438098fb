import { z } from 'zod';
import { remarksOn } from './remarks.ts';
import { answerOf, defineTool } from './tool.ts';
import { findPosition, symbolInput } from './known-symbol.ts';

/** What the member holds of one symbol, per account. */
export const positionTool = defineTool({
  name: 'my_position',
  title: 'Your position',
  description:
    'What the member holds of one symbol: quantity, value at the newest price and cost per account, with the day’s ' +
    'move of its price. cost_basis is null where it is not known.',
  inputSchema: z.strictObject({ symbol: symbolInput }),
  async run(context, { symbol }) {
    const { positions, sample_data: sample } = await context.portfolio();
    const position = findPosition(positions, symbol);
    if (!position) return { ok: false, message: `The member holds no ${symbol}.` };
    const { accounts, ...whole } = position;
    return answerOf(
      [
        'symbol',
        'name',
        'account',
        'quantity',
        'value',
        'cost_basis',
        'currency',
        'price',
        'price_unit',
        'change_1d_percent',
        'price_at',
      ],
      accounts.map((part) => ({
        ...whole,
        account: part.account_name,
        quantity: part.quantity,
        value: part.value,
        cost_basis: part.cost_basis,
        currency: part.currency ?? whole.currency,
        change_1d_percent: whole.change_1d,
      })),
      { notes: remarksOn({ sample }) },
    );
  },
});
