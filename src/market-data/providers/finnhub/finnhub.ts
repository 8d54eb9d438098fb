import { addDays, dateOf } from '../../domain/dates.ts';
import {
  type Answer,
  type AssetType,
  type CallClass,
  type Candle,
  type Listing,
  mapAnswer,
  type MarketDataProvider,
  noDay,
  type Quote,
} from '../../domain/market-data-provider.ts';
import { askEach, askReports } from '../http/sequential-calls.ts';
import { type Caller, type ClientOptions, createCaller } from '../http/provider-http-client.ts';
import * as shapes from './finnhub-shapes.ts';
import { lookUpBond, quoteBond } from './finnhub-bonds.ts';
import { isinOf } from '../../domain/bond-identifier.ts';
import { newestFirst } from '../../domain/sort-order.ts';
import { closedCandles } from '../../domain/closed-candles.ts';

const BASE_URL = 'https://finnhub.io/api/v1';

/**
 * Finnhub. Candles need a paid plan and are refused (403) without it; quotes come one by one and without a currency.
 */
export function createFinnhub({ key, baseUrl = BASE_URL, ...options }: ClientOptions): MarketDataProvider {
  const { now } = options;
  const call = createCaller({ ...options, baseUrl, headers: { 'x-finnhub-token': key } });
  return {
    id: 'finnhub',
    capabilities: new Set(['quotes', 'candles', 'earnings', 'news', 'search', 'lookup', 'bonds', 'status']),
    // Each costs a request of its own; the prices of so many are written together.
    quotesPerCall: 10,
    // News come symbol by symbol, a request each.
    newsSymbols: 5,
    earningsForAll: true,
    knowsHours: true,
    logoOrigins: ['https://static.finnhub.io', 'https://static2.finnhub.io', new URL(baseUrl).origin],
    firstListings: new Map(),
    drawLogo: () => undefined,
    quotes: (symbols, signal, use = 'quotes') => quotes({ call, now }, symbols, signal, use),
    async dailyCandles(symbol, range, signal) {
      const from = String(Date.parse(range.from) / 1_000);
      const to = String(Date.parse(range.to) / 1_000 + 86_399);
      const purpose = { use: 'backfill', signal, listingIn: 'symbol' } as const;
      const answer = await call('/stock/candle', { symbol, resolution: 'D', from, to }, shapes.candles, purpose);
      return mapAnswer(answer, (candles) => closedCandles(readCandles(candles), range, now()));
    },
    earnings: (symbols, range, signal) =>
      askReports(symbols, range, (part, symbol) => {
        const params = { ...part, ...(symbol !== undefined && { symbol }), international: 'false' };
        return call('/calendar/earnings', params, shapes.reports, { use: 'background', signal, listingIn: 'symbol' });
      }),
    async news(symbols, limit, signal) {
      const to = dateOf(now().getTime());
      const purpose = { use: 'background', signal, listingIn: 'symbol' } as const;
      const answer = await askEach(symbols, (symbol) =>
        call('/company-news', { symbol, from: addDays(to, -7), to }, shapes.articles, purpose),
      );
      return mapAnswer(answer, (found) =>
        [...found]
          .flatMap(([symbol, articles]) =>
            (articles ?? []).map(({ datetime, headline, source, summary, url }) => ({
              title: headline,
              summary: summary ?? '',
              url,
              source: source ?? '',
              published_at: isoOf(datetime) ?? '',
              symbols: [symbol],
              sample: false,
            })),
          )
          .sort(newestFirst)
          .slice(0, limit),
      );
    },
    async search(query, limit, signal) {
      const params = { q: query, exchange: 'US' };
      const answer = await call('/search', params, shapes.found, { use: 'background', signal });
      return mapAnswer(answer, (hits) => hits.flatMap((hit) => readListing(hit) ?? []).slice(0, limit));
    },
    lookup(symbol, signal, use = 'listing') {
      const isin = isinOf(symbol);
      return isin === undefined ? lookup(call, symbol, signal, use) : lookUpBond(call, { symbol, isin }, signal, use);
    },
    splits: async () => ({ ok: false, reason: 'not_entitled' }),
    status: (signal) => call('/stock/market-status', { exchange: 'US' }, shapes.status, { use: 'background', signal }),
  };
}

const isoOf = (seconds: number): string | undefined =>
  Number.isFinite(seconds) && seconds > 0 && seconds < 1e11 ? new Date(seconds * 1_000).toISOString() : undefined;

/** An unknown symbol is answered by zeros, not by an error. */
async function quotes(
  { call, now }: { call: Caller; now: () => Date },
  symbols: readonly string[],
  signal: AbortSignal,
  use: CallClass,
): Promise<Answer<Map<string, Quote | null>>> {
  const answer = await askEach(symbols, async (symbol): Promise<Answer<Quote | undefined>> => {
    const isin = isinOf(symbol);
    if (isin !== undefined) return quoteBond(call, { symbol, isin, now: now() }, signal, use);
    const said = await call('/quote', { symbol }, shapes.quote, { use, signal, listingIn: 'symbol' });
    return mapAnswer(said, (quote) => readQuote(symbol, quote));
  });
  if (!answer.ok) return answer;
  const found = new Map<string, Quote | null>();
  for (const [symbol, quote] of answer.value) {
    if (quote) found.set(symbol, quote);
    else if (answer.rest) found.set(symbol, null);
  }
  return { ...answer, value: found };
}

function readQuote(
  symbol: string,
  { c: price, pc, o: open, h: dayHigh, l: dayLow, t }: shapes.FinnhubQuote,
): Quote | undefined {
  const asOf = t === null ? undefined : isoOf(t);
  if (price === null || price <= 0 || asOf === undefined) return undefined;
  const prevClose = pc === 0 ? null : pc;
  return { ...noDay, symbol, price, currency: null, prevClose, open, dayHigh, dayLow, asOf, delayedMinutes: 0 };
}

function readCandles(answer: shapes.FinnhubCandles): Candle[] {
  if (answer.s === 'no_data') return [];
  return answer.t.flatMap((time, at) => {
    const close = answer.c[at] ?? null;
    const date = time === null ? undefined : isoOf(time)?.slice(0, 10);
    if (date === undefined || close === null) return [];
    return {
      date,
      close,
      open: answer.o[at] ?? null,
      high: answer.h[at] ?? null,
      low: answer.l[at] ?? null,
      volume: answer.v[at] ?? null,
    };
  });
}

/** What the provider calls each kind. */
const kinds: readonly [AssetType, readonly string[]][] = [
  ['stock', ['Common Stock', 'ADR', 'REIT', 'MLP', 'GDR', 'NY Reg Shrs']],
  ['etf', ['ETP', 'ETF', 'ETN', 'ETC']],
  ['mutual_fund', ['Open-End Fund', 'Mutual Fund']],
];

/** The question was about US listings, which are in dollars. */
function readListing({ symbol, description, type }: shapes.FinnhubHit): Listing | undefined {
  const assetType = kinds.find(([, types]) => type !== null && types.includes(type))?.[0];
  return assetType && { symbol, name: description, exchange: 'US', assetType, currency: 'USD', logo: null };
}

/** The search tells the kind; the profile of a company tells exchange and logo, and its accounts' currency. */
async function lookup(call: Caller, symbol: string, signal: AbortSignal, use: CallClass): Promise<Answer<Listing>> {
  const hits = await call('/search', { q: symbol, exchange: 'US' }, shapes.found, { use, signal });
  if (!hits.ok) return hits;
  const hit = hits.value.find((candidate) => candidate.symbol === symbol);
  if (!hit) return { ok: false, reason: 'unknown' };
  // Of a listing without a kind the profile tells whether it is a company's.
  const isVague = hit.type === null;
  const listing = readListing(isVague ? { ...hit, type: 'Common Stock' } : hit);
  if (!listing) return { ok: false, reason: 'unsupported' };
  if (listing.assetType !== 'stock') return { ok: true, value: listing };
  const about = await call('/stock/profile2', { symbol }, shapes.profile, { use, signal });
  if (!about.ok) return isVague ? about : { ok: true, value: listing };
  if (about.value.ticker === null) return isVague ? { ok: false, reason: 'unsupported' } : { ok: true, value: listing };
  const { name, exchange, logo, currency, marketCapitalization: millions } = about.value;
  // It is in the currency of the company's accounts, which an ADR's price is not in.
  const isCap = millions !== null && millions > 0 && currency === listing.currency;
  const cap = isCap ? { marketCap: millions * 1e6 } : {};
  const known = { name: name ?? listing.name, exchange: exchange ?? listing.exchange, logo, ...cap };
  return { ok: true, value: { ...listing, ...known } };
}
