import { z } from 'zod';
import { remarksOn, TIER_UNKNOWN } from './remarks.ts';
import { answerOf, defineTool } from './tool.ts';

/** What is told of a row that the plan locks, beside its symbol. */
const LOCKED = {
  name: null,
  price: null,
  currency: null,
  change_1d_percent: null,
  change_amount: null,
  price_at: null,
  next_report: null,
  held: null,
  locked: true,
};

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
    if (list.state === 'not_in_rollout') return { ok: false, message: 'The member has no watchlist.' };
    if (list.state === 'tier_unavailable') return { ok: false, message: TIER_UNKNOWN };
    const records = list.rows.map(({ item }) =>
      item.locked
        ? { ...LOCKED, symbol: item.symbol }
        : { ...item, change_1d_percent: item.change_1d, next_report: item.next_report?.date ?? null },
    );
    const sample = list.rows.some(({ item }) => !item.locked && item.sample);
    return answerOf(
      [
        'symbol',
        'name',
        'price',
        'currency',
        'change_1d_percent',
        'change_amount',
        'price_at',
        'next_report',
        'held',
        'locked',
      ],
      records,
      { notes: [...(session ? [`US market session now: ${session.session}.`] : []), ...remarksOn({ sample })] },
    );
  },
});
