import { z } from 'zod';
import { line } from '../../platform/database/contract.ts';
import { defineRoutes, instant, invalidRequest, namedObject, namedStrictObject } from '../../platform/http/contract.ts';
import { assetType, date, epsEstimate } from '../../market-data/contract.ts';
import { dividendFields } from '../portfolio/dividends/contract.ts';
import { position } from '../portfolio/holdings/contract.ts';

/** Response shapes of one security: every security of the catalog, whether the member holds or watches it or not. */

/** Close of one day: the date in the exchange's time zone, and the price in the listing's currency. */
const close = z.tuple([date, z.number()]);
export type Close = z.infer<typeof close>;

const rangeName = z.enum(['1W', '1M', '3M', '6M', 'YTD', '1Y']);
export type RangeName = z.infer<typeof rangeName>;

/** A part of the response that is fetched separately and may be missing. */
const partName = z.enum(['history', 'fundamentals', 'earnings', 'dividends', 'news']).meta({ id: 'SecurityPart' });
export type SecurityPart = z.infer<typeof partName>;

const identity = {
  symbol: z.string().describe('In the spelling of the catalog, also if the request had another one.'),
  name: z.string().describe('The symbol if the catalog has no name.'),
  asset_type: assetType,
  exchange: z.string().nullable().describe('Exchange of the listing. Null for unlisted funds and bonds.'),
  logo: z.string().nullable(),
  currency: z.string().nullable().describe('ISO 4217 code of the listing.'),
  price_unit: z.enum(['currency', 'percent_of_par']).describe("A bond's price is a percent of par, never an amount."),
  watched: z
    .boolean()
    .optional()
    .describe("Absent outside the watchlist's rollout, and if the watchlist is unavailable."),
  held: z.boolean(),
};

const nextReport = namedObject('SecurityReport', {
  date,
  when: z.enum(['bmo', 'amc']).nullable(),
  ...epsEstimate,
  estimated: z.boolean().describe('True if the company has not confirmed the date.'),
});

const article = namedObject('SecurityArticle', {
  title: z.string().describe('Plain text without markup.'),
  summary: z.string(),
  url: z.string().describe('http or https only.'),
  source: z.string(),
  published_at: z.iso.datetime(),
});

const shownSecurity = namedStrictObject('Security', {
  ...identity,
  locked: z.literal(false),
  position: position.nullable().describe("The member's holdings of the security across accounts. Null if not held."),
  price: z.number().nullable(),
  change_1d: z.number().nullable().describe('Day change in percent: 2.1 is 2.1 %. Null for funds and bonds.'),
  change_amount: z.number().nullable(),
  prev_close: z.number().nullable(),
  open: z.number().nullable(),
  day_low: z.number().nullable(),
  day_high: z.number().nullable(),
  low_52w: z.number().nullable().describe('Lowest close of one year.'),
  high_52w: z.number().nullable(),
  volume: z.number().nullable().describe('Shares traded on the day of the price.'),
  market_cap: z.number().nullable(),
  price_at: instant.nullable(),
  delayed_minutes: z.int().nonnegative().describe('Delay of the price in minutes.'),
  sample: z.boolean().describe('True if the price comes from the simulator.'),
  ranges: z.partialRecord(rangeName, z.array(close)).describe('Only the ranges that the history covers.'),
  pe_ratio: z
    .number()
    .nullable()
    .describe('Price divided by the earnings per share of the last twelve months. Null also for a loss.'),
  dividend_yield: z.number().nullable().describe('Dividends of the last twelve months in percent of the price.'),
  about: namedObject('SecurityAbout', {
    description: z.string().nullable(),
    industry: z.string().nullable(),
    website: z.string().nullable().describe('http or https only.'),
  }),
  next_report: nextReport.nullable().describe('Within the next 90 days. Only companies report.'),
  dividends: z
    .array(
      z.object({
        status: z.enum(['declared', 'paid']).describe('`paid`: the day of payment has passed.'),
        date: date.describe('Day of payment, or the ex-date if that is all that is known.'),
        ...dividendFields,
      }),
    )
    .describe('The last eight per share, newest first. Empty if none are known.'),
  news: z.array(article).describe('Newest first.'),
  pending: z
    .array(partName)
    .describe('Parts that are still being fetched and are empty in this response. Ask again in a few seconds.'),
  unavailable: z.array(partName).describe('Parts whose source does not respond.'),
});
export type ShownSecurity = z.infer<typeof shownSecurity>;

/** A symbol past the plan's limit on the member's list, which the member does not hold: its identity alone. */
const lockedSecurity = namedStrictObject('LockedSecurity', { ...identity, locked: z.literal(true) });

const security = z.discriminatedUnion('locked', [shownSecurity, lockedSecurity]).meta({ id: 'SecurityDetail' });
export type Security = z.infer<typeof security>;
export const routes = defineRoutes(
  {
    tag: { name: 'Securities', description: 'One stock, ETF, mutual fund or bond with all that is known of it.' },
  },
  {
    getSecurity: {
      endpoint: 'GET /api/securities/{symbol}',
      summary: 'Get a security',
      description:
        'Position, price, chart, key figures, news and description of a security, watched or not. A symbol that the ' +
        'catalog lacks is looked up. A symbol that is locked on the watchlist and not held has its name alone.',
      variesByDemoTour: true,
      params: z.strictObject({ symbol: line.min(1).max(64) }),
      responses: { 200: security },
      errors: [invalidRequest, 'UNKNOWN_SYMBOL', 'UNSUPPORTED_ASSET', 'TIER_UNAVAILABLE', 'UNAVAILABLE'],
    },
  },
);
