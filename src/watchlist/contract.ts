import { z } from 'zod';
import type { UpgradeEntry } from '../billing/contract.ts';
import { tier } from '../billing/contract.ts';
import { positionPart } from '../investments/contract.ts';
import { assetType } from '../market-data/contract.ts';

const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const instant = z.iso.datetime({ precision: 3 });
/** One day's close: date in the exchange's time zone, and the price in the listing's currency. */
const close = z.tuple([date, z.number()]);

export const nextReport = z.object({ date, when: z.enum(['bmo', 'amc']).nullable() });

/** What a locked row has too: it names a symbol and says nothing of the market. */
const identity = {
  id: z.uuid(),
  symbol: z.string(),
  /** 1 is the first row. */
  position: z.int().positive(),
  asset_type: assetType,
  name: z.string().nullable(),
  logo: z.string().nullable(),
  /** ISO 4217, of the listing. */
  currency: z.string().nullable(),
  /** A bond's price is a percent of par, never an amount. */
  price_unit: z.enum(['currency', 'percent_of_par']),
  held: z.boolean(),
  next_report: nextReport.nullable(),
  created_at: instant,
  updated_at: instant,
};

/** What the market says of an active row; `price_at` is the moment that it is as of. */
const market = {
  price: z.number().nullable(),
  /** In percent: 2.1 is 2.1 %. Null for funds and bonds. */
  change_1d: z.number().nullable(),
  change_amount: z.number().nullable(),
  prev_close: z.number().nullable(),
  market_cap: z.number().nullable(),
  price_at: instant.nullable(),
  /** Minutes by which the price is late. */
  delayed_minutes: z.int().nonnegative(),
  /** The price is made up by the simulator. */
  sample: z.boolean(),
  /** The last 30 daily closes, oldest first; null where there is no history to show. */
  closes: z.array(close).nullable(),
};

export const activeItem = z.strictObject({ ...identity, locked: z.literal(false), ...market });
export const lockedItem = z.strictObject({ ...identity, locked: z.literal(true) });
export const item = z.discriminatedUnion('locked', [activeItem, lockedItem]);

export const watchlist = z.object({
  tier,
  limit: z.int().positive(),
  item_count: z.int().nonnegative(),
  locked_count: z.int().nonnegative(),
  items: z.array(item),
  market: z
    .object({
      session: z.enum(['pre', 'open', 'post', 'closed']),
      next_change_at: instant,
      newest_price_at: instant.nullable(),
    })
    .nullable(),
  history: z.enum(['ok', 'unavailable']),
});

/** `position` puts a removed row back to its old place (undo); without it a row is added at the end. */
export const addRequest = z.strictObject({
  symbol: z.string().min(1).max(64),
  position: z.int().min(1).max(1_000_000).optional(),
});
export const addResponse = z.object({ item });

/** The whole list in its new order, each id once. */
export const orderRequest = z.strictObject({ ids: z.array(z.uuid()) });
export const orderResponse = z.object({
  items: z.array(z.object({ id: z.uuid(), position: z.int().positive(), locked: z.boolean() })),
});

export const idParams = z.object({ id: z.string() });
export const symbolParams = z.object({ symbol: z.string() });

export const rangeNames = ['1W', '1M', '3M', '6M', 'YTD', '1Y'] as const;
export type RangeName = (typeof rangeNames)[number];

export const tickerDetail = activeItem.extend({
  open: z.number().nullable(),
  day_low: z.number().nullable(),
  day_high: z.number().nullable(),
  /** Of closes, over a year. */
  low_52w: z.number().nullable(),
  high_52w: z.number().nullable(),
  volume: z.number().nullable(),
  /** Only the ranges that the history covers. */
  ranges: z.partialRecord(z.enum(rangeNames), z.array(close)),
  positions: z.array(positionPart),
  history: z.enum(['ok', 'unavailable']),
});

export const watchedEarnings = z.object({
  earnings: z.array(
    z.object({
      symbol: z.string(),
      name: z.string().nullable(),
      date,
      when: z.enum(['bmo', 'amc']).nullable(),
      eps_estimate: z.number().nullable(),
      /** The date is a guess that the company has not confirmed. */
      estimated: z.boolean(),
      /** It is the simulator's. */
      sample: z.boolean(),
      held: z.boolean(),
      watching: z.boolean(),
      /** Market days from today: 0 today, 1 the next one. */
      market_days: z.int().nonnegative(),
    }),
  ),
  /** False where some companies could not be asked, such as while the market-data budget is spent. */
  complete: z.boolean(),
});

/** CSV with a column `symbol` or the like, lines, or a comma list. */
export const importRequest = z.strictObject({
  text: z.string().min(1).describe('At most 64 kB, 500 symbols and 5,000 entries.'),
});
export const importQuery = z.object({ dry_run: z.enum(['0', '1']).optional() });
export const importOutcome = z.enum(['added', 'duplicate', 'unknown', 'unsupported', 'over_limit']);
export const importResponse = z.object({
  rows: z.array(
    z.object({
      line: z.int().positive(),
      symbol: z.string(),
      outcome: importOutcome,
      /** Beside `unknown`: nobody was asked, since one import asks for so many only. Imported again, it goes on from here. */
      reason: z.literal('not_looked_up').optional(),
    }),
  ),
});

export type AssetType = z.infer<typeof assetType>;
export type NextReport = z.infer<typeof nextReport>;
export type Close = z.infer<typeof close>;
export type WatchlistItem = z.infer<typeof item>;
export type ActiveItem = z.infer<typeof activeItem>;
export type Watchlist = z.infer<typeof watchlist>;
export type Position = z.infer<typeof positionPart>;
export type TickerDetail = z.infer<typeof tickerDetail>;
export type WatchedEarnings = z.infer<typeof watchedEarnings>;
export type OrderResponse = z.infer<typeof orderResponse>;
export type ImportOutcome = z.infer<typeof importOutcome>;
export type ImportResponse = z.infer<typeof importResponse>;
export type WatchlistTier = z.infer<typeof tier>;

/** Every event of the watchlist; `captureProperties` gives each the properties that all of them carry. */
export const watchlistEvents = [
  'watchlist_viewed',
  'watchlist_symbol_added',
  'watchlist_symbol_removed',
  'watchlist_removal_undone',
  'watchlist_reordered',
  'watchlist_imported',
  'watchlist_exported',
  'watchlist_limit_reached',
  'watchlist_search_opened',
  'watchlist_sort_changed',
  'watchlist_second_line_changed',
  'watchlist_detail_opened',
  'watchlist_range_changed',
  'watchlist_assistant_asked',
  'watchlist_bought_clicked',
  'upgrade_cta_clicked',
  'dashboard_news_article_clicked',
  'dashboard_earnings_view_all_clicked',
] as const;
export type WatchlistEvent = (typeof watchlistEvents)[number];

/** `source` of `upgrade_cta_clicked` → the entry source that travels through checkout to the subscription. */
export const upgradeSources = {
  dashboard_watchlist_limit: 'watchlist_limit',
  dashboard_watchlist_locked: 'watchlist_locked',
} as const satisfies Record<string, UpgradeEntry>;

/** What a list looks like at the moment of an event. */
export type ListState = Pick<Watchlist, 'tier' | 'limit' | 'item_count' | 'locked_count'>;

/** The properties of every event of the watchlist, with the event's own; what all share cannot be overwritten. */
export function captureProperties<Own extends Record<string, unknown>>(state: ListState, own: Own) {
  const { tier: plan, limit, item_count, locked_count } = state;
  return { ...own, feature: 'watchlist' as const, tier: plan, limit, item_count, locked_count };
}
