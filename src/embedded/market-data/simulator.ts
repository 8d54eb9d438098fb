import { marketCalendar } from '../../market-data/domain/market-calendar.ts';
import { compareByDate } from '../../market-data/domain/comparators.ts';
import { addDays } from '../../market-data/domain/dates.ts';
import {
  type ProviderResult,
  type CallPriority,
  type Listing,
  type MarketDataProvider,
  EMPTY_DAY_FIGURES,
  type Quote,
  type TryAcquire,
} from '../../market-data/domain/market-data-provider.ts';
import { drawUniform } from './seeded-random.ts';
import { edgeCases, simulatedListings, typicalPrices } from './listings.ts';
import { getCurrentSession, getPreviousSessionDay, getSessions } from './exchange-sessions.ts';
import { FIRST_DAY } from './market-days.ts';
import { renderMonogram } from './monograms.ts';
import { generateNews } from './simulated-news.ts';
import { generateReports } from './simulated-reports.ts';
import { generateDividends } from './simulated-dividends.ts';
import { generateFundamentals } from './simulated-fundamentals.ts';
import { toCandle, GRID_MINUTES, getTradingPath } from './trading-path.ts';
import { type PriceWalk, getWalk } from './price-walk.ts';

const ok = <T>(value: T): ProviderResult<T> => ({ ok: true, value });

const findListings = (symbols: readonly string[]): Listing[] =>
  symbols.map((symbol) => simulatedListings.get(symbol)).filter((listing) => listing !== undefined);

interface SimulatorOptions {
  now: () => Date;
  /** Acquires a call from the provider's quota. By default every call is free. */
  tryAcquire?: TryAcquire;
}

/**
 * Creates the provider of sample data: about 320 real listings with invented prices, equal in every process. A price
 * depends on the symbol and the market day. Within a day it changes every 15 minutes of the given clock and is constant
 * outside the regular hours of the exchange.
 */
export function createSimulator({ now, tryAcquire = async () => true }: SimulatorOptions): MarketDataProvider {
  const withQuota = async <T>(priority: CallPriority, getResult: () => ProviderResult<T>): Promise<ProviderResult<T>> =>
    (await tryAcquire(priority)) ? getResult() : { ok: false, reason: 'quota_exhausted' };

  return {
    id: 'simulator',
    capabilities: new Set([
      'quotes',
      'candles',
      'earnings',
      'news',
      'search',
      'lookup',
      'bonds',
      'splits',
      'fundamentals',
      'dividends',
      'status',
    ]),
    maxQuotesPerCall: 1_000,
    maxNewsSymbols: 20,
    supportsMarketWideEarnings: true,
    hasReportHours: true,
    logoOrigins: [],
    seedListings: simulatedListings,
    renderLogo: renderMonogram,
    quotes: (symbols, _signal, priority = 'quotes') =>
      withQuota(priority, () =>
        ok(
          new Map(
            findListings(symbols).map((listing) => [listing.symbol, getQuoteAt(listing, getWalk(listing), now())]),
          ),
        ),
      ),
    dailyCandles: (symbol, { from, to }) =>
      withQuota('backfill', () => {
        const listing = simulatedListings.get(symbol);
        if (!listing) return { ok: false, reason: 'unknown' };
        if (!hasCandles(listing)) return ok([]);
        const sessions = getSessions(listing.exchange);
        const current = getCurrentSession(sessions, now());
        const lastDay = minDate(to, current.isOpen ? getPreviousSessionDay(sessions, current.date) : current.date);
        const candles = [];
        for (let day = maxDate(from, getFirstDay(symbol, now())); day <= lastDay; day = addDays(day, 1))
          if (sessions.getMinutes(day))
            candles.push(toCandle(getWalk(listing), day, getTradingPath(getWalk(listing), sessions, day)));
        return ok(candles);
      }),
    earnings: (symbols, range) =>
      withQuota('background', () => {
        const requested = symbols === 'all' ? [...simulatedListings.values()] : findListings(symbols);
        const companies = requested.filter(({ assetType }) => assetType === 'stock');
        const today = marketCalendar.toNewYorkDate(now());
        return ok(companies.flatMap(({ symbol }) => generateReports(symbol, range, today)).sort(compareByDate));
      }),
    news: (symbols, limit) => withQuota('background', () => ok(generateNews(findListings(symbols), limit, now()))),
    search: (query, limit) => withQuota('background', () => ok(matchListings(query, limit))),
    lookup: (symbol) =>
      withQuota('listing', () => {
        const listing = simulatedListings.get(symbol);
        return listing ? ok(listing) : { ok: false, reason: 'unknown' };
      }),
    findSymbolByIsin: (isin) =>
      withQuota('listing', () => {
        const [found] = [...simulatedListings.values()].filter((listing) => listing.isin === isin);
        return found ? ok(found.symbol) : { ok: false, reason: 'unknown' };
      }),
    splits: () => withQuota('listing', () => ok([])),
    fundamentals: (symbol) =>
      withQuota('background', () => {
        const listing = simulatedListings.get(symbol);
        if (!listing) return { ok: false, reason: 'unknown' };
        const { price } = getQuoteAt(listing, getWalk(listing), now());
        return ok(generateFundamentals(listing, { today: marketCalendar.toNewYorkDate(now()), price }));
      }),
    dividends: (symbol) =>
      withQuota('background', () => {
        const listing = simulatedListings.get(symbol);
        const today = marketCalendar.toNewYorkDate(now());
        return listing ? ok(generateDividends(listing, today)) : { ok: false, reason: 'unknown' };
      }),
    status: async () => ok(marketCalendar.getMarketSession(now())),
  };
}

const minDate = (a: string, b: string): string => (a < b ? a : b);
const maxDate = (a: string, b: string): string => (a > b ? a : b);
const hasCandles = ({ assetType }: Listing): boolean => assetType === 'stock' || assetType === 'etf';

/** Returns the first market day of a symbol. */
function getFirstDay(symbol: string, now: Date): string {
  const { newlyListed } = edgeCases;
  return symbol === newlyListed.symbol
    ? marketCalendar.addMarketDays(marketCalendar.getLastClosedDay(now), 1 - newlyListed.marketDays)
    : FIRST_DAY;
}

/** Returns the quote at an instant: of the current session of the listing's exchange, or of its last close. */
function getQuoteAt(listing: Listing, walk: PriceWalk, now: Date): Quote {
  const sessions = getSessions(listing.exchange);
  const current = getCurrentSession(sessions, now);
  const isTradingNow = current.isOpen && hasCandles(listing);
  const date = current.isOpen && !isTradingNow ? getPreviousSessionDay(sessions, current.date) : current.date;
  const path = getTradingPath(walk, sessions, date);
  const step = isTradingNow
    ? Math.floor((now.getTime() - current.open.getTime()) / (GRID_MINUTES * 60_000))
    : path.length - 1;
  const timeMs = isTradingNow
    ? current.open.getTime() + step * GRID_MINUTES * 60_000
    : sessions.clock.toInstant(date, sessions.getMinutes(date)!.close).getTime();
  const { open, high, low, close, volume } = toCandle(walk, date, path, step);
  const quoteBase = {
    symbol: listing.symbol,
    price: close,
    currency: listing.currency,
    asOf: new Date(timeMs).toISOString(),
    delayedMinutes: 0,
  };
  if (!hasCandles(listing)) return { ...quoteBase, ...EMPTY_DAY_FIGURES };
  const shares = typicalPrices.get(listing.symbol)?.shares ?? Math.round(1e7 * 10 ** (2.5 * drawUniform(walk.seed, 6)));
  return {
    ...quoteBase,
    prevClose: date > FIRST_DAY ? walk.getClose(getPreviousSessionDay(sessions, date)) : null,
    open,
    dayHigh: high,
    dayLow: low,
    volume,
    marketCap: listing.assetType === 'stock' ? Math.round(close * shares) : null,
  };
}

/** Returns listings for a query, best first: exact symbol, symbol prefix, word of the name, part of the name. */
function matchListings(query: string, limit: number): Listing[] {
  const searchText = query.trim().toLowerCase();
  if (searchText === '') return [];
  return [...simulatedListings.values()]
    .map((listing) => ({ listing, rank: computeRank(listing, searchText) }))
    .filter(({ rank }) => rank < 4)
    .sort((a, b) => a.rank - b.rank || (a.listing.symbol < b.listing.symbol ? -1 : 1))
    .slice(0, limit)
    .map(({ listing }) => listing);
}

function computeRank({ symbol, name }: Listing, searchText: string): number {
  const lower = symbol.toLowerCase();
  if (lower === searchText) return 0;
  if (lower.startsWith(searchText)) return 1;
  const words = ` ${(name ?? '').toLowerCase()}`;
  if (words.includes(` ${searchText}`)) return 2;
  return words.includes(searchText) ? 3 : 4;
}
