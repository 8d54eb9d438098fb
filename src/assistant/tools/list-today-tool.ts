import { z } from 'zod';
import { SAMPLE, TIER_UNKNOWN } from './remarks.ts';
import { answer, defineTool } from './tool.ts';

/** The watchlist as it stands today. */
export const listTodayTool = defineTool({
  name: 'watchlist_today',
  title: 'Your list today',
  description:
    'The member’s watchlist in their order with the newest prices, the day’s moves, the next reports, and whether ' +
    'each is held. Rows that the plan locks have a symbol alone. The notes say how the US market session stands.',
  inputSchema: z.strictObject({}),
  async run(context) {
    const [list, session] = await Promise.all([context.list(), context.session()]);
    if (list === undefined) return { ok: false, message: 'The member has no watchlist.' };
    if (list === 'unknown') return { ok: false, message: TIER_UNKNOWN };
    const rows = list.rows.map(({ item }) => {
      if (item.locked) return [item.symbol, null, null, null, null, null, null, null, null, true];
      const { symbol, name, price, currency, change_1d: day, change_amount: amount } = item;
      return [
        symbol,
        name,
        price,
        currency,
        day,
        amount,
        item.price_at,
        item.next_report?.date ?? null,
        item.held,
        false,
      ];
    });
    const sample = list.rows.some(({ item }) => !item.locked && item.sample);
    return answer(
      [
        ...['symbol', 'name', 'price', 'currency', 'change_1d_percent', 'change_amount', 'price_at', 'next_report'],
        ...['held', 'locked'],
      ],
      rows,
      {
        notes: [...(session ? [`US market session now: ${session.session}.`] : []), ...(sample ? [SAMPLE] : [])],
      },
    );
  },
});
