import { toIsin } from '../../domain/bond-identifier.ts';
import { isInRange, splitIntoWeeks } from '../../domain/dates.ts';
import { toInstant } from '../../domain/new-york-time.ts';
import {
  type AssetType,
  type ProviderResult,
  type CallPriority,
  type Fundamentals,
  type Listing,
  mapResult,
  type MarketDataProvider,
  type Quote,
} from '../../domain/market-data-provider.ts';
import { parseCurrency } from '../../domain/currency-units.ts';
import { callSequentially, fetchReports } from '../http/sequential-calls.ts';
import {
  type HttpClient,
  type ClientOptions,
  createHttpClient,
  ENTITLEMENT_RETRY_MS,
} from '../http/provider-http-client.ts';
import * as schemas from './fmp-schemas.ts';
import { isUnsupportedExchange, toFmpSymbol } from './fmp-symbols.ts';
import { compareNewestFirst } from '../../domain/comparators.ts';
import { filterClosedCandles } from '../../domain/closed-candles.ts';

export const FMP_URL = 'https://financialmodelingprep.com/stable';

/**
 * Creates the provider for Financial Modeling Prep (stable API). It has no session, because FMP's market hours are
 * wrong on holidays.
 */
export function createFmp({ key, baseUrl = FMP_URL, ...options }: ClientOptions): MarketDataProvider {
  const { now } = options;
  const call = createHttpClient({ ...options, baseUrl, params: { apikey: key } });
  return {
    id: 'fmp',
    capabilities: new Set([
      'quotes',
      'candles',
      'earnings',
      'news',
      'search',
      'lookup',
      'splits',
      'fundamentals',
      'dividends',
    ]),
    // Widely used clients send this many in one call. Larger calls are untested.
    maxQuotesPerCall: 100,
    // News about more companies are not readable.
    maxNewsSymbols: 20,
    supportsMarketWideEarnings: true,
    hasReportHours: false,
    logoOrigins: ['https://images.financialmodelingprep.com', new URL(baseUrl).origin],
    seedListings: new Map(),
    renderLogo: () => undefined,
    quotes: createQuotes(call, now),
    async dailyCandles(symbol, { from, to }, signal) {
      const settings = { priority: 'backfill', signal, symbolParameter: 'symbol' } as const;
      const params = { symbol: toFmpSymbol(symbol), from, to };
      const answer = await call('/historical-price-eod/full', params, schemas.candles, settings);
      return mapResult(answer, (candles) => filterClosedCandles(candles, { from, to }, now()));
    },
    earnings: (symbols, range, signal) =>
      fetchReports(symbols, range, (chunk, symbol) => {
        const settings = { priority: 'background', signal, symbolParameter: 'symbol' } as const;
        return symbol === undefined
          ? call('/earnings-calendar', { ...chunk }, schemas.reports, settings)
          : call('/earnings', { symbol: toFmpSymbol(symbol), limit: '12' }, schemas.reports, settings);
      }),
    async news(symbols, limit, signal) {
      const answer = await fetchArticles(call, symbols, limit, signal);
      return mapResult(answer, (found) =>
        found
          .map(({ symbol, publishedDate, publisher, title, site, text, url }) => ({
            title,
            summary: text ?? '',
            url,
            source: publisher ?? site ?? '',
            published_at: parseNewYorkTime(publishedDate),
            symbols: symbols.filter((requested) => requested === symbol),
            sample: false,
          }))
          .sort(compareNewestFirst)
          .slice(0, limit),
      );
    },
    search: (query, limit, signal) => search(call, query, limit, signal),
    async lookup(symbol, signal, priority = 'listing') {
      const settings = { priority, signal, symbolParameter: 'symbol' } as const;
      const answer = await call('/profile', { symbol: toFmpSymbol(symbol) }, schemas.profiles, settings);
      if (!answer.ok) return answer;
      const profile = answer.value.find((candidate) => candidate.symbol === symbol);
      if (!profile) return { ok: false, reason: 'unknown' };
      if (isUnsupportedExchange(profile.exchange)) return { ok: false, reason: 'unsupported' };
      // A delisted company keeps its profile and has no price.
      if (!profile.isActivelyTrading) return { ok: false, reason: 'unknown' };
      const assetType = getAssetType(profile);
      const marketCap =
        assetType === 'stock' ? await fetchMarketCapInPounds(call, symbol, profile, signal, priority) : null;
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
      const settings = { priority: 'listing', signal, symbolParameter: 'symbol' } as const;
      const answer = await call('/splits', { symbol: toFmpSymbol(symbol) }, schemas.splits, settings);
      return mapResult(answer, (splits) => splits.filter(isInRange(range)));
    },
    fundamentals: (symbol, signal) => fetchFundamentals(call, symbol, signal),
    async dividends(symbol, signal) {
      const settings = { priority: 'background', signal, symbolParameter: 'symbol' } as const;
      const params = { symbol: toFmpSymbol(symbol), limit: '120' };
      const answer = await call('/dividends', params, schemas.dividends, settings);
      return mapResult(answer, (rows) => rows.filter((row) => row.symbol === symbol));
    },
    async dividendCalendar(range, signal) {
      // FMP silently truncates longer windows.
      const answer = await callSequentially(splitIntoWeeks(range), (week) =>
        call('/dividends-calendar', { ...week }, schemas.dividends, { priority: 'background', signal }),
      );
      if (answer.ok && answer.stoppedBy) return answer.stoppedBy;
      return mapResult(answer, (weeks) => [...weeks.values()].flatMap((rows) => rows ?? []));
    },
    findSymbolByIsin: (isin, signal) => findSymbolByIsin(call, isin, signal),
    status: async () => ({ ok: false, reason: 'not_entitled' }),
  };
}

/**
 * Returns shares × price for a listing in a minor unit such as pence, otherwise null. FMP does not declare the unit of
 * its market cap for these listings. Later quotes are compared with this figure. The quotes of all other listings
 * include the market cap.
 */
async function fetchMarketCapInPounds(
  call: HttpClient,
  symbol: string,
  { currency, price }: { currency: string | null; price: number | null },
  signal: AbortSignal,
  priority: CallPriority,
): Promise<number | null> {
  if (parseCurrency(currency).unit === null || price === null || price <= 0) return null;
  const answer = await call('/shares-float', { symbol: toFmpSymbol(symbol) }, schemas.floats, { priority, signal });
  const shares = answer.ok ? (answer.value[0]?.outstandingShares ?? null) : null;
  return shares !== null && shares > 0 ? Math.round((shares * price) / 100) : null;
}

function getAssetType({ isEtf, isFund }: { isEtf: boolean; isFund: boolean }): AssetType {
  if (isEtf) return 'etf';
  return isFund ? 'mutual_fund' : 'stock';
}

/** Indexes quotes by symbol and drops invalid rows. */
const indexBySymbol = (quotes: readonly (Quote | undefined)[]): Map<string, Quote> =>
  new Map(quotes.filter((quote) => quote !== undefined).map((quote) => [quote.symbol, quote]));

/**
 * Creates the quote function. If the plan rejects a batch, symbols are requested one by one, and the rejection is
 * remembered for an hour.
 */
function createQuotes(call: HttpClient, now: () => Date): MarketDataProvider['quotes'] {
  let batchesAllowedFrom = 0;
  const uncoveredUntil = new Map<string, number>();
  return async (symbols, signal, priority = 'quotes') => {
    const time = now().getTime();
    const requested = symbols.filter((symbol) => (uncoveredUntil.get(symbol) ?? 0) <= time);
    const usesBatch = requested.length > 1 && batchesAllowedFrom <= time;
    if (usesBatch) {
      const params = { symbols: requested.map(toFmpSymbol).join(',') };
      const answer = await call('/batch-quote', params, schemas.quotes, { priority, signal });
      if (answer.ok || answer.reason !== 'not_entitled') return mapResult(answer, indexBySymbol);
    }
    const answer = await callSequentially(requested, (symbol) =>
      call('/quote', { symbol: toFmpSymbol(symbol) }, schemas.quotes, { priority, signal, symbolParameter: 'symbol' }),
    );
    if (!answer.ok && answer.reason !== 'unknown') return answer;
    const missing = answer.ok ? requested.filter((symbol) => answer.value.get(symbol) === null) : requested;
    for (const symbol of missing) uncoveredUntil.set(symbol, time + ENTITLEMENT_RETRY_MS);
    if (usesBatch && missing.length === 0) batchesAllowedFrom = time + ENTITLEMENT_RETRY_MS;
    if (!answer.ok) return answer;
    const unknownSymbols = answer.stoppedBy
      ? symbols.filter((symbol) => answer.value.has(symbol) || !requested.includes(symbol))
      : [];
    const foundQuotes = indexBySymbol([...answer.value.values()].flatMap((quotes) => quotes ?? []));
    return {
      ...answer,
      value: new Map<string, Quote | null>([
        ...unknownSymbols.map((symbol) => [symbol, null] as const),
        ...foundQuotes,
      ]),
    };
  };
}

/** Fetches articles for all symbols in one call. If the plan lacks one of them, splits the list into two halves. */
async function fetchArticles(
  call: HttpClient,
  symbols: readonly string[],
  limit: number,
  signal: AbortSignal,
): Promise<ProviderResult<schemas.FmpArticle[]>> {
  const settings = { priority: 'background', signal, symbolParameter: 'symbols' } as const;
  const fetchFor = (subset: readonly string[]): Promise<ProviderResult<schemas.FmpArticle[]>> => {
    const params = { symbols: subset.map(toFmpSymbol).join(','), page: '0', limit: String(limit) };
    return call('/news/stock', params, schemas.articles, settings);
  };
  const answer = await fetchFor(symbols);
  if (answer.ok || answer.reason !== 'unknown' || symbols.length < 2) return answer;
  const half = Math.ceil(symbols.length / 2);
  const halves = await callSequentially([symbols.slice(0, half), symbols.slice(half)], fetchFor);
  return mapResult(halves, (articles) => [...articles.values()].flatMap((subset) => subset ?? []));
}

/** Fetches profile and ratios. A plan without ratios, or a fund without them, has no figures. */
async function fetchFundamentals(
  call: HttpClient,
  symbol: string,
  signal: AbortSignal,
): Promise<ProviderResult<Fundamentals>> {
  const settings = { priority: 'background', signal, symbolParameter: 'symbol' } as const;
  const params = { symbol: toFmpSymbol(symbol) };
  const profiles = await call('/profile', params, schemas.descriptions, settings);
  if (!profiles.ok) return profiles;
  const profile = profiles.value.find((candidate) => candidate.symbol === symbol);
  if (!profile) return { ok: false, reason: 'unknown' };
  const ratios = await call('/ratios-ttm', params, schemas.ratios, settings);
  if (!ratios.ok && ratios.reason !== 'not_entitled' && ratios.reason !== 'unknown') return ratios;
  const figures = ratios.ok ? ratios.value.find((candidate) => candidate.symbol === symbol) : undefined;
  const yieldFraction = figures?.dividendYieldTTM ?? null;
  return {
    ok: true,
    value: {
      peRatio: figures?.priceToEarningsRatioTTM ?? null,
      dividendYield: yieldFraction === null ? null : yieldFraction * 100,
      description: profile.description,
      industry: profile.industry,
      website: profile.website,
    },
  };
}

/** Returns the home listing of an ISIN: one without an exchange suffix, otherwise that of the largest company. */
async function findSymbolByIsin(call: HttpClient, isin: string, signal: AbortSignal): Promise<ProviderResult<string>> {
  const answer = await call('/search-isin', { isin }, schemas.listingsByIsin, { priority: 'listing', signal });
  if (!answer.ok) return answer;
  const getHomeRank = ({ symbol }: { symbol: string }): number => Number(/^[A-Z]+(\.[ABC])?$/.test(symbol));
  const [best] = answer.value.toSorted(
    (a, b) => getHomeRank(b) - getHomeRank(a) || (b.marketCap ?? 0) - (a.marketCap ?? 0),
  );
  return best ? { ok: true, value: best.symbol } : { ok: false, reason: 'unknown' };
}

/** Searches by symbol and by name, which are two endpoints of FMP. An ISIN has a separate endpoint. */
async function search(
  call: HttpClient,
  query: string,
  limit: number,
  signal: AbortSignal,
): Promise<ProviderResult<Listing[]>> {
  const upper = query.toUpperCase();
  if (toIsin(upper) === upper) {
    const answer = await call('/search-isin', { isin: upper }, schemas.hits, { priority: 'background', signal });
    return mapResult(answer, (hits) => hits.filter(({ exchange }) => !isUnsupportedExchange(exchange)).slice(0, limit));
  }
  const fmpSymbol = toFmpSymbol(upper);
  const symbol = fmpSymbol === upper ? query : fmpSymbol;
  const listings = new Map<string, Listing>();
  const getHits = (): Listing[] => [...listings.values()].slice(0, limit);
  for (const path of ['/search-symbol', '/search-name']) {
    const params = { query: path === '/search-symbol' ? symbol : query, limit: String(limit) };
    const answer = await call(path, params, schemas.hits, { priority: 'background', signal });
    if (!answer.ok) return listings.size === 0 ? answer : { ok: true, value: getHits(), stoppedBy: answer };
    for (const hit of answer.value)
      if (!isUnsupportedExchange(hit.exchange) && !listings.has(hit.symbol)) listings.set(hit.symbol, hit);
  }
  return { ok: true, value: getHits() };
}

/** Parses `YYYY-MM-DD HH:mm:ss` without a zone as New York time. */
function parseNewYorkTime(text: string): string {
  const [, date, hours, minutes, seconds = '0'] =
    /^(\d{4}-\d{2}-\d{2})[ T](\d{2}):(\d{2})(?::(\d{2}))?/.exec(text) ?? [];
  if (date === undefined || Number.isNaN(Date.parse(date))) return '';
  return new Date(
    toInstant(date, Number(hours) * 60 + Number(minutes)).getTime() + Number(seconds) * 1_000,
  ).toISOString();
}
