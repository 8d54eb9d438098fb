import { z } from 'zod';
import { createRemarks, TIER_UNAVAILABLE_REMARK } from './remarks.ts';
import { createRecordsResult, defineTool } from './tool.ts';

/** Fields of a row that the plan locks, besides its symbol. */
const LOCKED_ROW = {
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

/** Tool that returns today's watchlist. */
export const listTodayTool = defineTool({
  name: 'watchlist_today',
  title: 'Your list today',
  description:
    'The member’s watchlist in their order with the newest prices, the day’s moves, the next reports, and whether ' +
    'each is held. Rows that the plan locks have only a symbol. The notes state whether the US market is open.',
  inputSchema: z.strictObject({}),
  async run(context) {
    const [list, session] = await Promise.all([context.getWatchlist(), context.getMarketSession()]);
    if (list.state === 'not_in_rollout') return { ok: false, message: 'The member has no watchlist.' };
    if (list.state === 'tier_unavailable') return { ok: false, message: TIER_UNAVAILABLE_REMARK };
    const records = list.rows.map(({ item }) =>
      item.locked
        ? { ...LOCKED_ROW, symbol: item.symbol }
        : { ...item, change_1d_percent: item.change_1d, next_report: item.next_report?.date ?? null },
    );
    const sample = list.rows.some(({ item }) => !item.locked && item.sample);
    return createRecordsResult(
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
      { notes: [...(session ? [`US market session now: ${session.session}.`] : []), ...createRemarks({ sample })] },
    );
  },
});
