import { isinOf } from '../../domain/bond-identifier.ts';
import { inRange } from '../../domain/dates.ts';
import { instantOf } from '../../domain/new-york-time.ts';
import {
  type Answer,
  type CallClass,
  type Listing,
  mapAnswer,
  type MarketDataProvider,
  type Quote,
} from '../../domain/market-data-provider.ts';
import { readCurrency } from '../../domain/currency-units.ts';
import { askEach, askReports } from '../http/sequential-calls.ts';
import { type Caller, type ClientOptions, createCaller, PLAN_MS } from '../http/provider-http-client.ts';
import * as shapes from './fmp-shapes.ts';
import { isNoListing, toFmp } from './fmp-symbols.ts';
import { newestFirst } from '../../domain/sort-order.ts';
import { closedCandles } from '../../domain/closed-candles.ts';

const BASE_URL = 'https://financialmodelingprep.com/stable';

/** Financial Modeling Prep, the stable API. Its market hours are wrong on holidays, so it has no session. */
export function createFmp({ key, baseUrl = BASE_URL, ...options }: ClientOptions): MarketDataProvider {
  const { now } = options;
  const call = createCaller({ ...options, baseUrl, params: { apikey: key } });
  return {
    id: 'fmp',
    capabilities: new Set(['quotes', 'candles', 'earnings', 'news', 'search', 'lookup', 'splits']),
    // As many as widely used clients send in one call; more are untried.
    quotesPerCall: 100,
    // A longer list of companies makes no readable news.
    newsSymbols: 20,
    earningsForAll: true,
    knowsHours: false,
    logoOrigins: ['https://images.financialmodelingprep.com', new URL(baseUrl).origin],
    firstListings: new Map(),
    drawLogo: () => undefined,
    quotes: createQuotes(call, now),
    async dailyCandles(symbol, { from, to }, signal) {
      const purpose = { use: 'backfill', signal, listingIn: 'symbol' } as const;
      const params = { symbol: toFmp(symbol), from, to };
      const answer = await call('/historical-price-eod/full', params, shapes.candles, purpose);
      return mapAnswer(answer, (candles) => closedCandles(candles, { from, to }, now()));
    },
    earnings: (symbols, range, signal) =>
      askReports(symbols, range, (part, symbol) => {
        const purpose = { use: 'background', signal, listingIn: 'symbol' } as const;
        return symbol === undefined
          ? call('/earnings-calendar', { ...part }, shapes.reports, purpose)
          : call('/earnings', { symbol: toFmp(symbol), limit: '12' }, shapes.reports, purpose);
      }),
    async news(symbols, limit, signal) {
      const answer = await articlesAbout(call, symbols, limit, signal);
      return mapAnswer(answer, (found) =>
        found
          .map(({ symbol, publishedDate, publisher, title, site, text, url }) => ({
            title,
            summary: text ?? '',
            url,
            source: publisher ?? site ?? '',
            published_at: newYorkTime(publishedDate),
            symbols: symbols.filter((asked) => asked === symbol),
            sample: false,
          }))
          .sort(newestFirst)
          .slice(0, limit),
      );
    },
    search: (query, limit, signal) => search(call, query, limit, signal),
    async lookup(symbol, signal, use = 'listing') {
      const purpose = { use, signal, listingIn: 'symbol' } as const;
      const answer = await call('/profile', { symbol: toFmp(symbol) }, shapes.profiles, purpose);
      if (!answer.ok) return answer;
      const profile = answer.value.find((candidate) => candidate.symbol === symbol);
      if (!profile) return { ok: false, reason: 'unknown' };
      if (isNoListing(profile.exchange)) return { ok: false, reason: 'unsupported' };
      // A delisted company has a profile for good, and no price.
      if (!profile.isActivelyTrading) return { ok: false, reason: 'unknown' };
      const assetType = profile.isEtf ? 'etf' : profile.isFund ? 'mutual_fund' : 'stock';
      const marketCap = assetType === 'stock' ? await capInPounds(call, symbol, profile, signal, use) : null;
      const assets = assetType !== 'stock' && (profile.marketCap ?? 0) > 0 ? profile.marketCap : null;
      return {
        ok: true,
        value: {
          symbol,
          name: profile.companyName,
          exchange: profile.exchange,
          assetType,
          currency: profile.currency,
          logo: profile.defaultImage ? null : profile.image,
          ...(marketCap !== null && { marketCap }),
          ...(profile.isin !== null && { isin: profile.isin }),
          ...(assets !== null && { fundAssets: assets }),
        },
      };
    },
    async splits(symbol, range, signal) {
      const purpose = { use: 'listing', signal, listingIn: 'symbol' } as const;
      const answer = await call('/splits', { symbol: toFmp(symbol) }, shapes.splits, purpose);
      return mapAnswer(answer, (splits) => splits.filter(inRange(range)));
    },
    symbolOf: (isin, signal) => symbolOf(call, isin, signal),
    status: async () => ({ ok: false, reason: 'not_entitled' }),
  };
}

/**
 * The market cap of a listing in pence and the like, of which no answer says whether its own is in pence: shares times
 * price. Later quotes are compared with it. Null for all others, whose quotes bring it.
 */
async function capInPounds(
  call: Caller,
  symbol: string,
  { currency, price }: { currency: string | null; price: number | null },
  signal: AbortSignal,
  use: CallClass,
): Promise<number | null> {
  if (readCurrency(currency).unit === null || price === null || price <= 0) return null;
  const answer = await call('/shares-float', { symbol: toFmp(symbol) }, shapes.floats, { use, signal });
  const shares = answer.ok ? (answer.value[0]?.outstandingShares ?? null) : null;
  return shares !== null && shares > 0 ? Math.round((shares * price) / 100) : null;
}

/** By symbol, without the rows that are no quotes. */
const bySymbol = (quotes: readonly (Quote | undefined)[]): Map<string, Quote> =>
  new Map(quotes.filter((quote) => quote !== undefined).map((quote) => [quote.symbol, quote]));

/** A refused batch is repeated symbol by symbol: the plan lacks batches or one symbol, remembered for an hour. */
function createQuotes(call: Caller, now: () => Date): MarketDataProvider['quotes'] {
  let batchesFrom = 0;
  const leftOutUntil = new Map<string, number>();
  return async (symbols, signal, use = 'quotes') => {
    const time = now().getTime();
    const asked = symbols.filter((symbol) => (leftOutUntil.get(symbol) ?? 0) <= time);
    const inBatch = asked.length > 1 && batchesFrom <= time;
    if (inBatch) {
      const params = { symbols: asked.map(toFmp).join(',') };
      const answer = await call('/batch-quote', params, shapes.quotes, { use, signal });
      if (answer.ok || answer.reason !== 'not_entitled') return mapAnswer(answer, bySymbol);
    }
    const answer = await askEach(asked, (symbol) =>
      call('/quote', { symbol: toFmp(symbol) }, shapes.quotes, { use, signal, listingIn: 'symbol' }),
    );
    if (!answer.ok && answer.reason !== 'unknown') return answer;
    const lacking = answer.ok ? asked.filter((symbol) => answer.value.get(symbol) === null) : asked;
    for (const symbol of lacking) leftOutUntil.set(symbol, time + PLAN_MS);
    if (inBatch && lacking.length === 0) batchesFrom = time + PLAN_MS;
    if (!answer.ok) return answer;
    const nothing = answer.rest ? symbols.filter((symbol) => answer.value.has(symbol) || !asked.includes(symbol)) : [];
    const known = bySymbol([...answer.value.values()].flatMap((quotes) => quotes ?? []));
    return {
      ...answer,
      value: new Map<string, Quote | null>([...nothing.map((symbol) => [symbol, null] as const), ...known]),
    };
  };
}

/** One question about all of them; where the plan lacks one of these, two about half of them each. */
async function articlesAbout(
  call: Caller,
  symbols: readonly string[],
  limit: number,
  signal: AbortSignal,
): Promise<Answer<shapes.FmpArticle[]>> {
  const purpose = { use: 'background', signal, listingIn: 'symbols' } as const;
  const ask = (some: readonly string[]): Promise<Answer<shapes.FmpArticle[]>> => {
    const params = { symbols: some.map(toFmp).join(','), page: '0', limit: String(limit) };
    return call('/news/stock', params, shapes.articles, purpose);
  };
  const answer = await ask(symbols);
  if (answer.ok || answer.reason !== 'unknown' || symbols.length < 2) return answer;
  const half = Math.ceil(symbols.length / 2);
  const halves = await askEach([symbols.slice(0, half), symbols.slice(half)], ask);
  return mapAnswer(halves, (articles) => [...articles.values()].flatMap((some) => some ?? []));
}

/** Of the listings under an ISIN the one at home: without an exchange's suffix, else the one of the largest company. */
async function symbolOf(call: Caller, isin: string, signal: AbortSignal): Promise<Answer<string>> {
  const answer = await call('/search-isin', { isin }, shapes.listedUnder, { use: 'listing', signal });
  if (!answer.ok) return answer;
  const isAtHome = ({ symbol }: { symbol: string }): number => Number(/^[A-Z]+(\.[ABC])?$/.test(symbol));
  const [best] = answer.value.toSorted((a, b) => isAtHome(b) - isAtHome(a) || (b.marketCap ?? 0) - (a.marketCap ?? 0));
  return best ? { ok: true, value: best.symbol } : { ok: false, reason: 'unknown' };
}

/** By symbol and by name, which are two questions with FMP; an ISIN is a question of its own. */
async function search(call: Caller, query: string, limit: number, signal: AbortSignal): Promise<Answer<Listing[]>> {
  const upper = query.toUpperCase();
  if (isinOf(upper) === upper) {
    const answer = await call('/search-isin', { isin: upper }, shapes.found, { use: 'background', signal });
    return mapAnswer(answer, (hits) => hits.filter(({ exchange }) => !isNoListing(exchange)).slice(0, limit));
  }
  const spelled = toFmp(upper);
  const symbol = spelled === upper ? query : spelled;
  const listings = new Map<string, Listing>();
  const found = (): Listing[] => [...listings.values()].slice(0, limit);
  for (const path of ['/search-symbol', '/search-name']) {
    const params = { query: path === '/search-symbol' ? symbol : query, limit: String(limit) };
    const answer = await call(path, params, shapes.found, { use: 'background', signal });
    if (!answer.ok) return listings.size === 0 ? answer : { ok: true, value: found(), rest: answer };
    for (const hit of answer.value)
      if (!isNoListing(hit.exchange) && !listings.has(hit.symbol)) listings.set(hit.symbol, hit);
  }
  return { ok: true, value: found() };
}

/** `YYYY-MM-DD HH:mm:ss` without a zone is New York's time. */
function newYorkTime(text: string): string {
  const [, date, hours, minutes, seconds = '0'] =
    /^(\d{4}-\d{2}-\d{2})[ T](\d{2}):(\d{2})(?::(\d{2}))?/.exec(text) ?? [];
  if (date === undefined || Number.isNaN(Date.parse(date))) return '';
  return new Date(
    instantOf(date, Number(hours) * 60 + Number(minutes)).getTime() + Number(seconds) * 1_000,
  ).toISOString();
}
