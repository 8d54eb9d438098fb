import { z } from 'zod';
import type { eventContract } from '../../platform/analytics/contract.ts';
import { tier, type UpgradeEntry } from '../billing/contract.ts';
import {
  defineRoutes,
  instant,
  namedObject,
  namedStrictObject,
  noContent,
  errorSchema,
} from '../../platform/http/contract.ts';
import { positionPart } from '../portfolio/holdings/contract.ts';
import { assetType, date, sampleData, upcomingReport } from '../../market-data/contract.ts';

/** Close of one day: the date in the exchange's time zone, and the price in the listing's currency. */
const close = z.tuple([date, z.number()]);

const nextReport = namedObject('NextReport', { date, when: z.enum(['bmo', 'amc']).nullable() });

/** Marks a response that is based on a stored tier. Absent otherwise. */
const tierStale = {
  tier_stale: z
    .literal(true)
    .optional()
    .describe('True if the tier is unavailable. The response uses the tier of the last hour.'),
};

/** Fields that locked rows have too: the security's identity, without market data. */
const identity = {
  id: z.uuid(),
  symbol: z.string(),
  position: z.int().positive().describe('1 is the first row.'),
  asset_type: assetType,
  name: z.string().nullable(),
  exchange: z.string().nullable().describe('Exchange of the listing. Null for unlisted funds and bonds.'),
  logo: z.string().nullable(),
  currency: z.string().nullable().describe('ISO 4217 code of the listing.'),
  price_unit: z.enum(['currency', 'percent_of_par']).describe("A bond's price is a percent of par, never an amount."),
  held: z.boolean(),
  next_report: nextReport.nullable(),
  created_at: instant,
  updated_at: instant,
};

/** Market data of an active row. `price_at` is the time of the price. */
const market = {
  price: z.number().nullable(),
  change_1d: z.number().nullable().describe('Day change in percent: 2.1 is 2.1 %. Null for funds and bonds.'),
  change_amount: z.number().nullable(),
  prev_close: z.number().nullable(),
  market_cap: z.number().nullable(),
  volume: z.number().nullable().describe('Shares traded on the day of the price.'),
  price_at: instant.nullable(),
  delayed_minutes: z.int().nonnegative().describe('Delay of the price in minutes.'),
  sample: z.boolean().describe('True if the price comes from the simulator.'),
  closes: z.array(close).nullable().describe('The last 30 daily closes, oldest first. Null if there is no history.'),
};

const activeItem = namedStrictObject('ActiveWatchlistItem', { ...identity, locked: z.literal(false), ...market });
const lockedItem = namedStrictObject('LockedWatchlistItem', { ...identity, locked: z.literal(true) });
const item = z.discriminatedUnion('locked', [activeItem, lockedItem]).meta({ id: 'WatchlistItem' });

export const watchlist = namedObject('Watchlist', {
  tier,
  limit: z.int().positive(),
  item_count: z.int().nonnegative(),
  locked_count: z.int().nonnegative(),
  items: z.array(item),
  market: z
    .object({
      session: z.enum(['pre', 'open', 'post', 'closed']),
      next_change_at: instant,
      session_valid_seconds: z
        .int()
        .nonnegative()
        .describe('Time after which to read the list again, since the session may have changed.'),
      newest_price_at: instant.nullable(),
    })
    .nullable(),
  history: z.enum(['ok', 'unavailable']),
  ...tierStale,
});

const rowPosition = z
  .int()
  .min(1)
  .max(1_000_000)
  .describe('1 is the first row. A position past the end is the last row.');

/** `position` restores a removed row to its previous place (undo). Without `position` the row is added at the end. */
const addRequest = namedStrictObject('AddToWatchlistRequest', {
  symbol: z.string().min(1).max(64).describe('In any spelling (`NASDAQ:AAPL`, `BRK B`), or an ISIN.'),
  position: rowPosition.optional(),
});
const renamedFrom = z.string().optional().describe('The requested symbol, if the company has replaced it by this one.');

const addResponse = namedObject('AddedToWatchlist', { item, renamed_from: renamedFrom });

const orderRequest = namedStrictObject('WatchlistOrderRequest', { ids: z.array(z.uuid()) });
const moveRequest = namedStrictObject('WatchlistMoveRequest', { position: rowPosition });
const orderResponse = namedObject('WatchlistOrder', {
  items: z.array(
    z.object({
      id: z.uuid(),
      position: z.int().positive(),
      locked: z.boolean().nullable().describe('Null if the tier is unavailable and was not read in the last hour.'),
    }),
  ),
});

const rangeNames = ['1W', '1M', '3M', '6M', 'YTD', '1Y'] as const;

export const tickerDetail = activeItem
  .extend({
    open: z.number().nullable(),
    day_low: z.number().nullable(),
    day_high: z.number().nullable(),
    low_52w: z.number().nullable().describe('Lowest close of one year.'),
    high_52w: z.number().nullable(),
    ranges: z.partialRecord(z.enum(rangeNames), z.array(close)).describe('Only the ranges that the history covers.'),
    positions: z.array(positionPart),
    history: z.enum(['ok', 'unavailable']),
    ...tierStale,
  })
  .meta({ id: 'TickerDetail' });

export const watchedEarnings = namedObject('WatchedEarnings', {
  earnings: z.array(upcomingReport),
  complete: z
    .boolean()
    .describe('False if some companies could not be requested, such as when the market-data budget is used up.'),
  ...sampleData,
  ...tierStale,
});

/** A table with a column of tickers or ISINs, lines, or a comma-separated list. */
const importRequest = namedStrictObject('ImportRequest', {
  text: z.string().min(1).describe('At most 64 kB, 500 symbols and 5,000 entries.'),
});
const importQuery = z.object({ dry_run: z.enum(['0', '1']).optional() });
const importOutcome = z
  .enum(['added', 'duplicate', 'unknown', 'unsupported', 'over_limit'])
  .meta({ id: 'ImportOutcome' });
const importResponse = namedObject('ImportReport', {
  rows: z.array(
    z.object({
      line: z.int().positive(),
      symbol: z.string(),
      outcome: importOutcome,
      renamed_from: renamedFrom,
      reason: z
        .literal('not_looked_up')
        .optional()
        .describe(
          'With `unknown`: the symbol was not looked up, because one import has a limit of look-ups. ' +
            'A repeated import continues from here.',
        ),
    }),
  ),
});
export const routes = defineRoutes(
  {
    tag: {
      name: 'Watchlist',
      description: 'Tickers that a member follows. Outside the rollout these routes do not exist.',
    },
    variesByDemoTour: true,
    errors: ['NOT_FOUND'],
  },
  {
    listWatchlist: {
      endpoint: 'GET /api/watchlist',
      summary: 'Get the watchlist',
      responses: { 200: watchlist },
      errors: ['TIER_UNAVAILABLE'],
    },
    addToWatchlist: {
      endpoint: 'POST /api/watchlist',
      summary: 'Add a ticker',
      description: 'The ticker is added at the end, or at `position` when a removal is undone.',
      body: addRequest,
      responses: { 201: addResponse },
      errors: [
        'TIER_UNAVAILABLE',
        'DEMO_MODE',
        'UNKNOWN_SYMBOL',
        'UNSUPPORTED_ASSET',
        'CONFLICT',
        errorSchema('ALREADY_WATCHED', { item }),
        // This body has exactly the code and these fields, without a message.
        z.strictObject({ code: z.literal('WATCHLIST_LIMIT_REACHED'), limit: z.int().positive(), tier }),
      ],
    },
    reorderWatchlist: {
      endpoint: 'PUT /api/watchlist/order',
      summary: 'Reorder the watchlist',
      description: 'Requires every id of the list once, in the new order.',
      body: orderRequest,
      responses: { 200: orderResponse },
      errors: ['DEMO_MODE', errorSchema('ORDER_CONFLICT', { ids: z.array(z.uuid()) })],
    },
    moveInWatchlist: {
      endpoint: 'PATCH /api/watchlist/{id}',
      summary: 'Move a ticker',
      description: 'Moves one row to a position, regardless of other changes.',
      params: z.object({ id: z.string() }),
      body: moveRequest,
      responses: { 200: orderResponse },
      errors: ['DEMO_MODE'],
    },
    removeFromWatchlist: {
      endpoint: 'DELETE /api/watchlist/{id}',
      summary: 'Remove a ticker',
      params: z.object({ id: z.string() }),
      responses: { 204: noContent('It is deleted.') },
      errors: ['DEMO_MODE'],
    },
    getTickerDetail: {
      endpoint: 'GET /api/watchlist/ticker/{symbol}',
      summary: 'Get a ticker',
      params: z.object({ symbol: z.string() }),
      responses: { 200: tickerDetail },
      errors: ['TIER_UNAVAILABLE'],
    },
    listWatchedEarnings: {
      endpoint: 'GET /api/watchlist/earnings',
      summary: 'List upcoming earnings of watched companies',
      responses: { 200: watchedEarnings },
      errors: ['TIER_UNAVAILABLE'],
    },
    importToWatchlist: {
      endpoint: 'POST /api/watchlist/import',
      summary: 'Import tickers',
      description: 'With `dry_run` nothing is added, and the response shows the result of an import.',
      query: importQuery,
      body: importRequest,
      responses: { 200: importResponse },
      errors: ['TIER_UNAVAILABLE', 'DEMO_MODE'],
    },
    exportWatchlist: {
      endpoint: 'GET /api/watchlist/export.csv',
      summary: 'Export the watchlist as CSV',
      responses: { 200: { description: 'The CSV file.', mediaTypes: ['text/csv'] } },
      errors: ['TIER_UNAVAILABLE'],
    },
  },
);

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

type Events = typeof eventContract;

/** Every event of the watchlist. `captureProperties` adds the common properties to each event. */
export type WatchlistEvent = {
  [Name in keyof Events]: Events[Name]['area'] extends 'watchlist' ? Name : never;
}[keyof Events];

/** Maps the `source` of `upgrade_cta_clicked` to the entry source, which checkout passes on to the subscription. */
export const upgradeSources = {
  dashboard_watchlist_limit: 'watchlist_limit',
  dashboard_watchlist_locked: 'watchlist_locked',
} as const satisfies Record<string, UpgradeEntry>;

/** State of a list at the time of an event. */
export type ListState = Pick<Watchlist, 'tier' | 'limit' | 'item_count' | 'locked_count'>;

/**
 * Returns the properties of a watchlist event: the common properties and the event's own. Own properties cannot
 * overwrite the common properties.
 */
export const captureProperties = <State extends Partial<ListState>, OwnProperties extends Record<string, unknown>>(
  state: State,
  otherProperties: OwnProperties,
) => ({ ...otherProperties, feature: 'watchlist' as const, ...state });
