import { z } from 'zod';
import { SAMPLE } from './remarks.ts';
import { answer, defineTool } from './tool.ts';
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
    const { currency, price, price_unit: unit, change_1d: change, price_at: at } = position;
    return answer(
      [
        ...['symbol', 'name', 'account', 'quantity', 'value', 'cost_basis', 'currency', 'price', 'price_unit'],
        ...['change_1d_percent', 'price_at'],
      ],
      position.accounts.map((part) => [
        ...[position.symbol, position.name, part.account_name, part.quantity, part.value, part.cost_basis],
        ...[part.currency ?? currency, price, unit, change, at],
      ]),
      { notes: sample ? [SAMPLE] : [] },
    );
  },
});
