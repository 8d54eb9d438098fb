import { marketCalendar } from '../../market-data/domain/market-calendar.ts';
import { byDate } from '../../market-data/domain/sort-order.ts';
import {
  type Answer,
  type CallClass,
  type Listing,
  type MarketDataProvider,
  noDay,
  type Quote,
  type Spend,
} from '../../market-data/domain/market-data-provider.ts';
import { uniform } from './draw.ts';
import { edgeCases, simulatedListings, typicalPrices } from './listings.ts';
import { marketDayAt, placeOfDay } from './market-days.ts';
import { monogramOf } from './monograms.ts';
import { simulatedNews } from './simulated-news.ts';
import { reportsOf } from './simulated-reports.ts';
import { candleOf, GRID_MINUTES, pathOf } from './trading-path.ts';
import { type Walk, walkOf } from './walk.ts';

const yes = <T>(value: T): Answer<T> => ({ ok: true, value });

const listingsOf = (symbols: readonly string[]): Listing[] =>
  symbols.map((symbol) => simulatedListings.get(symbol)).filter((listing) => listing !== undefined);

interface SimulatorOptions {
  now: () => Date;
  /** A budget to spend from, as a provider's; without one every call is free. */
  spend?: Spend;
}

/**
 * Sample market data: about 320 real listings with made-up prices, the same in every process. A price is a function of
 * symbol and market day; within a day it moves on a grid of 15 minutes of the given clock and stands still outside
 * regular hours.
 */
export function createSimulator({ now, spend = async () => true }: SimulatorOptions): MarketDataProvider {
  const paid = async <T>(use: CallClass, answer: () => Answer<T>): Promise<Answer<T>> =>
    (await spend(use)) ? answer() : { ok: false, reason: 'budget' };

  return {
    id: 'simulator',
    capabilities: new Set(['quotes', 'candles', 'earnings', 'news', 'search', 'lookup', 'bonds', 'splits', 'status']),
    quotesPerCall: 1_000,
    newsSymbols: 20,
    earningsForAll: true,
    knowsHours: true,
    logoOrigins: [],
    firstListings: simulatedListings,
    drawLogo: monogramOf,
    quotes: (symbols, _signal, use = 'quotes') =>
      paid(use, () =>
        yes(new Map(listingsOf(symbols).map((listing) => [listing.symbol, quoteAt(listing, walkOf(listing), now())]))),
      ),
    dailyCandles: (symbol, { from, to }) =>
      paid('backfill', () => {
        const listing = simulatedListings.get(symbol);
        if (!listing) return { ok: false, reason: 'unknown' };
        if (!hasCandles(listing)) return yes([]);
        const last = placeOfDay(earlier(to, marketCalendar.lastClosedDay(now())));
        const first = Math.max(
          0,
          placeOfDay(from) + (marketDayAt(Math.max(0, placeOfDay(from))) < from ? 1 : 0),
          firstPlace(symbol, now()),
        );
        const candles = [];
        for (let place = first; place <= last; place += 1)
          candles.push(candleOf(walkOf(listing), place, pathOf(walkOf(listing), place)));
        return yes(candles);
      }),
    earnings: (symbols, range) =>
      paid('background', () => {
        const asked = symbols === 'all' ? [...simulatedListings.values()] : listingsOf(symbols);
        const companies = asked.filter(({ assetType }) => assetType === 'stock');
        const today = marketCalendar.newYorkDate(now());
        return yes(companies.flatMap(({ symbol }) => reportsOf(symbol, range, today)).sort(byDate));
      }),
    news: (symbols, limit) => paid('background', () => yes(simulatedNews(listingsOf(symbols), limit, now()))),
    search: (query, limit) => paid('background', () => yes(matchListings(query, limit))),
    lookup: (symbol) =>
      paid('listing', () => {
        const listing = simulatedListings.get(symbol);
        return listing ? yes(listing) : { ok: false, reason: 'unknown' };
      }),
    symbolOf: (isin) =>
      paid('listing', () => {
        const [found] = [...simulatedListings.values()].filter((listing) => listing.isin === isin);
        return found ? yes(found.symbol) : { ok: false, reason: 'unknown' };
      }),
    splits: () => paid('listing', () => yes([])),
    status: async () => yes(marketCalendar.marketSessionAt(now())),
  };
}

const earlier = (a: string, b: string): string => (a < b ? a : b);
const hasCandles = ({ assetType }: Listing): boolean => assetType === 'stock' || assetType === 'etf';

/** The place of a symbol's first market day. */
function firstPlace(symbol: string, now: Date): number {
  const { newlyListed } = edgeCases;
  return symbol === newlyListed.symbol ? placeOfDay(marketCalendar.lastClosedDay(now)) - newlyListed.marketDays + 1 : 0;
}

function quoteAt(listing: Listing, walk: Walk, now: Date): Quote {
  const today = marketCalendar.newYorkDate(now);
  const hours = marketCalendar.hoursOf(today);
  const trading = hours && hours.open <= now && now < hours.close ? hours : undefined;
  const traded = trading && hasCandles(listing);
  const place = Math.max(0, placeOfDay(traded ? today : marketCalendar.lastClosedDay(now)));
  const path = pathOf(walk, place);
  const step = traded
    ? Math.floor((now.getTime() - trading.open.getTime()) / (GRID_MINUTES * 60_000))
    : path.length - 1;
  const at = traded
    ? trading.open.getTime() + step * GRID_MINUTES * 60_000
    : marketCalendar.hoursOf(marketDayAt(place))!.close.getTime();
  const { open, high, low, close, volume } = candleOf(walk, place, path, step);
  const known = {
    symbol: listing.symbol,
    price: close,
    currency: listing.currency,
    asOf: new Date(at).toISOString(),
    delayedMinutes: 0,
  };
  if (!hasCandles(listing)) return { ...known, ...noDay };
  const shares = typicalPrices.get(listing.symbol)?.shares ?? Math.round(1e7 * 10 ** (2.5 * uniform(walk.seed, 6)));
  return {
    ...known,
    prevClose: place > 0 ? walk.closeAt(place - 1) : null,
    open,
    dayHigh: high,
    dayLow: low,
    volume,
    marketCap: listing.assetType === 'stock' ? Math.round(close * shares) : null,
  };
}

/** Listings for a query, best first: the symbol, its beginning, a word of the name, any part of the name. */
function matchListings(query: string, limit: number): Listing[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return [];
  return [...simulatedListings.values()]
    .map((listing) => ({ listing, rank: rankOf(listing, wanted) }))
    .filter(({ rank }) => rank < 4)
    .sort((a, b) => a.rank - b.rank || (a.listing.symbol < b.listing.symbol ? -1 : 1))
    .slice(0, limit)
    .map(({ listing }) => listing);
}

function rankOf({ symbol, name }: Listing, wanted: string): number {
  const lower = symbol.toLowerCase();
  if (lower === wanted) return 0;
  if (lower.startsWith(wanted)) return 1;
  const words = ` ${(name ?? '').toLowerCase()}`;
  return words.includes(` ${wanted}`) ? 2 : words.includes(wanted) ? 3 : 4;
}
