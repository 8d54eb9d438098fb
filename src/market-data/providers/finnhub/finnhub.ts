import { addDays, toIsoDate } from '../../domain/dates.ts';
import {
  type ProviderResult,
  type AssetType,
  type CallPriority,
  type Candle,
  type Fundamentals,
  type Listing,
  mapResult,
  type MarketDataProvider,
  EMPTY_DAY_FIGURES,
  type Quote,
} from '../../domain/market-data-provider.ts';
import { callSequentially, fetchReports } from '../http/sequential-calls.ts';
import { type HttpClient, type ClientOptions, createHttpClient } from '../http/provider-http-client.ts';
import * as schemas from './finnhub-schemas.ts';
import { lookUpBond, quoteBond } from './finnhub-bonds.ts';
import { toIsin } from '../../domain/bond-identifier.ts';
import { compareNewestFirst } from '../../domain/comparators.ts';
import { filterClosedCandles } from '../../domain/closed-candles.ts';

export const FINNHUB_URL = 'https://finnhub.io/api/v1';

/** Days of past dividends. An annual one has eight payments in them. */
const DIVIDEND_DAYS = 8 * 366;

/**
 * Creates the Finnhub provider. Candles need a paid plan and otherwise return 403. Quotes need one request per symbol
 * and have no currency.
 */
export function createFinnhub({ key, baseUrl = FINNHUB_URL, ...options }: ClientOptions): MarketDataProvider {
  const { now } = options;
  const call = createHttpClient({ ...options, baseUrl, headers: { 'x-finnhub-token': key } });
  return {
    id: 'finnhub',
    capabilities: new Set([
      'quotes',
      'candles',
      'earnings',
      'news',
      'search',
      'lookup',
      'bonds',
      'fundamentals',
      'dividends',
      'status',
    ]),
    // Each quote costs one request, and the prices of one call are written together.
    maxQuotesPerCall: 10,
    // News need one request per symbol.
    maxNewsSymbols: 5,
    supportsMarketWideEarnings: true,
    hasReportHours: true,
    logoOrigins: ['https://static.finnhub.io', 'https://static2.finnhub.io', new URL(baseUrl).origin],
    seedListings: new Map(),
    renderLogo: () => undefined,
    quotes: (symbols, signal, priority = 'quotes') => quotes({ call, now }, symbols, signal, priority),
    async dailyCandles(symbol, range, signal) {
      const from = String(Date.parse(range.from) / 1_000);
      const to = String(Date.parse(range.to) / 1_000 + 86_399);
      const settings = { priority: 'backfill', signal, symbolParameter: 'symbol' } as const;
      const answer = await call('/stock/candle', { symbol, resolution: 'D', from, to }, schemas.candles, settings);
      return mapResult(answer, (candles) => filterClosedCandles(toCandles(candles), range, now()));
    },
    earnings: (symbols, range, signal) =>
      fetchReports(symbols, range, (chunk, symbol) => {
        const params = { ...chunk, ...(symbol !== undefined && { symbol }), international: 'false' };
        return call('/calendar/earnings', params, schemas.reports, {
          priority: 'background',
          signal,
          symbolParameter: 'symbol',
        });
      }),
    async news(symbols, limit, signal) {
      const to = toIsoDate(now().getTime());
      const settings = { priority: 'background', signal, symbolParameter: 'symbol' } as const;
      const answer = await callSequentially(symbols, (symbol) =>
        call('/company-news', { symbol, from: addDays(to, -7), to }, schemas.articles, settings),
      );
      return mapResult(answer, (found) =>
        [...found]
          .flatMap(([symbol, articles]) =>
            (articles ?? []).map(({ datetime, headline, source, summary, url }) => ({
              title: headline,
              summary: summary ?? '',
              url,
              source: source ?? '',
              published_at: toIsoTime(datetime) ?? '',
              symbols: [symbol],
              sample: false,
            })),
          )
          .sort(compareNewestFirst)
          .slice(0, limit),
      );
    },
    async search(query, limit, signal) {
      const params = { q: query, exchange: 'US' };
      const answer = await call('/search', params, schemas.hits, { priority: 'background', signal });
      return mapResult(answer, (hits) => hits.flatMap((hit) => toListing(hit) ?? []).slice(0, limit));
    },
    lookup(symbol, signal, priority = 'listing') {
      const isin = toIsin(symbol);
      return isin === undefined
        ? lookup(call, symbol, signal, priority)
        : lookUpBond(call, { symbol, isin }, signal, priority);
    },
    splits: async () => ({ ok: false, reason: 'not_entitled' }),
    fundamentals: (symbol, signal) => fetchFundamentals(call, symbol, signal),
    dividends(symbol, signal) {
      const today = toIsoDate(now().getTime());
      const params = { symbol, from: addDays(today, -DIVIDEND_DAYS), to: addDays(today, 366) };
      const settings = { priority: 'background', signal, symbolParameter: 'symbol' } as const;
      return call('/stock/dividend', params, schemas.dividends, settings);
    },
    status: (signal) =>
      call('/stock/market-status', { exchange: 'US' }, schemas.status, { priority: 'background', signal }),
  };
}

const toIsoTime = (seconds: number): string | undefined =>
  Number.isFinite(seconds) && seconds > 0 && seconds < 1e11 ? new Date(seconds * 1_000).toISOString() : undefined;

/** Reads quotes symbol by symbol. Finnhub returns zeros for an unknown symbol instead of an error. */
async function quotes(
  { call, now }: { call: HttpClient; now: () => Date },
  symbols: readonly string[],
  signal: AbortSignal,
  priority: CallPriority,
): Promise<ProviderResult<Map<string, Quote | null>>> {
  const answer = await callSequentially(symbols, async (symbol): Promise<ProviderResult<Quote | undefined>> => {
    const isin = toIsin(symbol);
    if (isin !== undefined) return quoteBond(call, { symbol, isin, now: now() }, signal, priority);
    const quoteResult = await call('/quote', { symbol }, schemas.quote, {
      priority,
      signal,
      symbolParameter: 'symbol',
    });
    return mapResult(quoteResult, (quote) => toQuote(symbol, quote));
  });
  if (!answer.ok) return answer;
  const quotesBySymbol = new Map<string, Quote | null>();
  for (const [symbol, quote] of answer.value) {
    if (quote) quotesBySymbol.set(symbol, quote);
    else if (answer.stoppedBy) quotesBySymbol.set(symbol, null);
  }
  return { ...answer, value: quotesBySymbol };
}

function toQuote(
  symbol: string,
  { c: price, pc, o: open, h: dayHigh, l: dayLow, t }: schemas.FinnhubQuote,
): Quote | undefined {
  const asOf = t === null ? undefined : toIsoTime(t);
  if (price === null || price <= 0 || asOf === undefined) return undefined;
  const prevClose = pc === 0 ? null : pc;
  return {
    ...EMPTY_DAY_FIGURES,
    symbol,
    price,
    currency: null,
    prevClose,
    open,
    dayHigh,
    dayLow,
    asOf,
    delayedMinutes: 0,
  };
}

function toCandles(answer: schemas.FinnhubCandles): Candle[] {
  if (answer.s === 'no_data') return [];
  return answer.t.flatMap((time, index) => {
    const close = answer.c[index] ?? null;
    const date = time === null ? undefined : toIsoTime(time)?.slice(0, 10);
    if (date === undefined || close === null) return [];
    return {
      date,
      close,
      open: answer.o[index] ?? null,
      high: answer.h[index] ?? null,
      low: answer.l[index] ?? null,
      volume: answer.v[index] ?? null,
    };
  });
}

/** Fetches metrics and profile. Finnhub describes no company in words. */
async function fetchFundamentals(
  call: HttpClient,
  symbol: string,
  signal: AbortSignal,
): Promise<ProviderResult<Fundamentals>> {
  const settings = { priority: 'background', signal, symbolParameter: 'symbol' } as const;
  const metrics = await call('/stock/metric', { symbol, metric: 'all' }, schemas.metrics, settings);
  if (!metrics.ok) return metrics;
  const profile = await call('/stock/profile2', { symbol }, schemas.profile, settings);
  if (!profile.ok && profile.reason !== 'not_entitled' && profile.reason !== 'unknown') return profile;
  const figures = metrics.value;
  return {
    ok: true,
    value: {
      peRatio: figures?.peTTM ?? null,
      dividendYield: figures?.currentDividendYieldTTM ?? figures?.dividendYieldIndicatedAnnual ?? null,
      description: null,
      industry: profile.ok ? profile.value.finnhubIndustry : null,
      website: profile.ok ? profile.value.weburl : null,
    },
  };
}

/** Finnhub's type names by asset type. */
const TYPES_BY_ASSET_TYPE: readonly [AssetType, readonly string[]][] = [
  ['stock', ['Common Stock', 'ADR', 'REIT', 'MLP', 'GDR', 'NY Reg Shrs']],
  ['etf', ['ETP', 'ETF', 'ETN', 'ETC']],
  ['mutual_fund', ['Open-End Fund', 'Mutual Fund']],
];

/** The search is limited to US listings, which are priced in dollars. */
function toListing({ symbol, description, type }: schemas.FinnhubSearchHit): Listing | undefined {
  const assetType = TYPES_BY_ASSET_TYPE.find(([, types]) => type !== null && types.includes(type))?.[0];
  return assetType && { symbol, name: description, exchange: 'US', assetType, currency: 'USD', logo: null };
}

/**
 * Looks up a symbol. The search returns the asset type. A company's profile returns exchange, logo and the currency of
 * its accounts.
 */
async function lookup(
  call: HttpClient,
  symbol: string,
  signal: AbortSignal,
  priority: CallPriority,
): Promise<ProviderResult<Listing>> {
  const hits = await call('/search', { q: symbol, exchange: 'US' }, schemas.hits, { priority, signal });
  if (!hits.ok) return hits;
  const hit = hits.value.find((candidate) => candidate.symbol === symbol);
  if (!hit) return { ok: false, reason: 'unknown' };
  // If the hit has no type, the profile shows whether the listing is a company.
  const isKindUnknown = hit.type === null;
  const listing = toListing(isKindUnknown ? { ...hit, type: 'Common Stock' } : hit);
  if (!listing) return { ok: false, reason: 'unsupported' };
  if (listing.assetType !== 'stock') return { ok: true, value: listing };
  const profile = await call('/stock/profile2', { symbol }, schemas.profile, { priority, signal });
  if (!profile.ok) return isKindUnknown ? profile : { ok: true, value: listing };
  if (profile.value.ticker === null)
    return isKindUnknown ? { ok: false, reason: 'unsupported' } : { ok: true, value: listing };
  const { name, exchange, logo, currency, marketCapitalization: millions } = profile.value;
  // The market cap is in the currency of the company's accounts, which may differ from that of an ADR's price.
  const hasMarketCap = millions !== null && millions > 0 && currency === listing.currency;
  const marketCapField = hasMarketCap ? { marketCap: millions * 1e6 } : {};
  const details = { name: name ?? listing.name, exchange: exchange ?? listing.exchange, logo, ...marketCapField };
  return { ok: true, value: { ...listing, ...details } };
}
