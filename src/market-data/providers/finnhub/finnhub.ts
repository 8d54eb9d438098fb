import { marketCalendar } from '../../calendar/market-calendar.ts';
import type {
  Answer,
  AssetType,
  CallClass,
  Candle,
  Capability,
  Listing,
  MarketDataProvider,
  Quote,
  ReportDate,
} from '../port.ts';
import { askEach } from '../ask-each.ts';
import { type Caller, type ClientOptions, createCaller, SAMPLE_SYMBOL } from '../provider-call.ts';
import { weeksOf } from '../../reports/weeks-of.ts';
import type { FinnhubCandles, FinnhubHit, FinnhubQuote, FinnhubReport } from './finnhub-shapes.ts';
import * as shapes from './finnhub-shapes.ts';
import { lookUpBond, quoteBond } from './finnhub-bonds.ts';
import { isinOf } from '../../catalog/bond-identifier.ts';
import { byDate, newestFirst } from '../answer-shapes.ts';

const BASE_URL = 'https://finnhub.io/api/v1';
const sample = { symbol: SAMPLE_SYMBOL };
const capabilities: ReadonlySet<Capability> = new Set([
  'quotes',
  'candles',
  'earnings',
  'news',
  'search',
  'lookup',
  'bonds',
  'status',
]);

/**
 * Finnhub. Candles need a paid plan and are refused (403) without it; quotes come one by one and without a currency.
 */
export function createFinnhub({ key, baseUrl = BASE_URL, spend, now, timeoutMs }: ClientOptions): MarketDataProvider {
  const call = createCaller({ baseUrl, headers: { 'x-finnhub-token': key }, spend, now, timeoutMs });
  return {
    id: 'finnhub',
    capabilities,
    // Each costs a request of its own; the prices of so many are written together.
    quotesPerCall: 10,
    // News come symbol by symbol, a request each.
    newsSymbols: 5,
    earningsForAll: true,
    knowsHours: true,
    logoOrigins: ['https://static.finnhub.io', 'https://static2.finnhub.io', new URL(baseUrl).origin],
    quotes: (symbols, signal, use) => quotes({ call, now }, symbols, signal, use),
    async dailyCandles(symbol, { from, to }, signal) {
      const params = {
        symbol,
        resolution: 'D',
        from: String(Date.parse(from) / 1_000),
        to: String(Date.parse(to) / 1_000 + 86_399),
      };
      const answer = await call({
        use: 'backfill',
        path: '/stock/candle',
        params,
        sample,
        shape: shapes.candles,
        signal,
      });
      if (!answer.ok) return answer;
      const last = [to, marketCalendar.lastClosedDay(now())].sort()[0]!;
      return { ok: true, value: readCandles(answer.value).filter(({ date }) => date >= from && date <= last) };
    },
    async earnings(symbols, range, signal) {
      const questions =
        symbols === 'all'
          ? weeksOf(range).map((week) => ({ params: { ...week } }))
          : symbols.map((symbol) => ({ params: { ...range, symbol }, sample }));
      const reports: ReportDate[] = [];
      for (const question of questions) {
        const answer = await call({
          use: 'background',
          path: '/calendar/earnings',
          ...question,
          params: { ...question.params, international: 'false' },
          shape: shapes.reports,
          signal,
        });
        if (!answer.ok && answer.reason === 'unknown' && symbols !== 'all') continue;
        if (!answer.ok) return answer;
        reports.push(
          ...answer.value.earningsCalendar.filter(({ date }) => date >= range.from && date <= range.to).map(readReport),
        );
      }
      return { ok: true, value: reports.sort(byDate) };
    },
    async news(symbols, limit, signal) {
      const to = now().toISOString().slice(0, 10);
      const from = new Date(Date.parse(to) - 7 * 86_400_000).toISOString().slice(0, 10);
      const answer = await askEach(symbols, (symbol) =>
        call({
          use: 'background',
          path: '/company-news',
          params: { symbol, from, to },
          sample,
          shape: shapes.articles,
          signal,
        }),
      );
      if (!answer.ok) return answer;
      const articles = [...answer.value].flatMap(([symbol, found]) =>
        (found ?? []).map(({ datetime, headline, source, summary, url }) => ({
          title: headline,
          summary: summary ?? '',
          url,
          source: source ?? '',
          published_at: isoOf(datetime) ?? '',
          symbols: [symbol],
          sample: false,
        })),
      );
      return { ...answer, value: articles.sort(newestFirst).slice(0, limit) };
    },
    async search(query, limit, signal) {
      const answer = await call({
        use: 'background',
        path: '/search',
        params: { q: query, exchange: 'US' },
        shape: shapes.found,
        signal,
      });
      return answer.ok
        ? {
            ok: true,
            value: answer.value.result
              .map(readListing)
              .filter((listing) => listing !== undefined)
              .slice(0, limit),
          }
        : answer;
    },
    lookup(symbol, signal, use) {
      const isin = isinOf(symbol);
      return isin === undefined ? lookup(call, symbol, signal, use) : lookUpBond(call, { symbol, isin }, signal, use);
    },
    splits: async () => ({ ok: false, reason: 'not_entitled' }),
    async status(signal) {
      const answer = await call({
        use: 'background',
        path: '/stock/market-status',
        params: { exchange: 'US' },
        shape: shapes.status,
        signal,
      });
      if (!answer.ok) return answer;
      const { isOpen, session } = answer.value;
      return {
        ok: true,
        value:
          session === 'pre-market'
            ? 'pre'
            : session === 'post-market'
              ? 'post'
              : isOpen && session === 'regular'
                ? 'open'
                : 'closed',
      };
    },
  };
}

const isoOf = (seconds: number): string | undefined =>
  Number.isFinite(seconds) && seconds > 0 && seconds < 1e11 ? new Date(seconds * 1_000).toISOString() : undefined;

/** An unknown symbol is answered by zeros, not by an error. */
async function quotes(
  { call, now }: { call: Caller; now: () => Date },
  symbols: readonly string[],
  signal: AbortSignal,
  use: CallClass = 'quotes',
): Promise<Answer<Map<string, Quote | null>>> {
  const answer = await askEach(symbols, async (symbol): Promise<Answer<FinnhubQuote | Quote>> => {
    const isin = isinOf(symbol);
    if (isin !== undefined) return quoteBond(call, { symbol, isin, now: now() }, signal, use);
    return call({ use, path: '/quote', params: { symbol }, sample, shape: shapes.quote, signal });
  });
  if (!answer.ok) return answer;
  const found = new Map<string, Quote | null>();
  for (const [symbol, quote] of answer.value) {
    if (answer.rest) found.set(symbol, null);
    if (quote === null) continue;
    if ('asOf' in quote) {
      found.set(symbol, quote);
      continue;
    }
    const { c: price, pc, o: open, h: dayHigh, l: dayLow, t } = quote;
    const asOf = t === null ? undefined : isoOf(t);
    if (price === null || price <= 0 || asOf === undefined) continue;
    found.set(symbol, {
      symbol,
      price,
      currency: null,
      prevClose: pc === 0 ? null : pc,
      open,
      dayHigh,
      dayLow,
      volume: null,
      marketCap: null,
      asOf,
      delayedMinutes: 0,
    });
  }
  return { ...answer, value: found };
}

function readCandles(answer: FinnhubCandles): Candle[] {
  if (answer.s === 'no_data') return [];
  const candles: Candle[] = [];
  answer.t.forEach((time, at) => {
    const close = answer.c[at] ?? null;
    const date = time === null ? undefined : isoOf(time)?.slice(0, 10);
    if (date === undefined || close === null || close <= 0) return;
    candles.push({
      date,
      close,
      open: answer.o[at] ?? null,
      high: answer.h[at] ?? null,
      low: answer.l[at] ?? null,
      volume: answer.v[at] ?? null,
    });
  });
  return candles.sort((a, b) => (a.date < b.date ? -1 : 1));
}

/** A report with an hour has been announced; without one its date is an estimate. */
const readReport = ({ symbol, date, epsEstimate, hour }: FinnhubReport): ReportDate => ({
  symbol,
  date,
  when: hour === 'dmh' ? null : hour,
  eps_estimate: epsEstimate,
  estimated: hour === null,
});

/** A map: the kind is the provider's text, and an object would answer "constructor" too. */
const kinds: ReadonlyMap<string, AssetType> = new Map([
  ['Common Stock', 'stock'],
  ['ADR', 'stock'],
  ['REIT', 'stock'],
  ['MLP', 'stock'],
  ['GDR', 'stock'],
  ['NY Reg Shrs', 'stock'],
  ['ETP', 'etf'],
  ['ETF', 'etf'],
  ['ETN', 'etf'],
  ['ETC', 'etf'],
  ['Open-End Fund', 'mutual_fund'],
  ['Mutual Fund', 'mutual_fund'],
]);

/** The question was about US listings, which are in dollars. */
function readListing({ symbol, description, type }: FinnhubHit): Listing | undefined {
  const assetType = type === null ? undefined : kinds.get(type);
  return assetType && { symbol, name: description, exchange: 'US', assetType, currency: 'USD', logo: null };
}

/** The search tells the kind; the profile of a company tells exchange and logo, and its accounts' currency. */
async function lookup(
  call: Caller,
  symbol: string,
  signal: AbortSignal,
  use: CallClass = 'listing',
): Promise<Answer<Listing>> {
  const hits = await call({ use, path: '/search', params: { q: symbol, exchange: 'US' }, shape: shapes.found, signal });
  if (!hits.ok) return hits;
  const hit = hits.value.result.find((candidate) => candidate.symbol === symbol);
  if (!hit) return { ok: false, reason: 'unknown' };
  // Of a listing without a kind the profile tells whether it is a company's.
  const isVague = hit.type === null;
  const listing = readListing(isVague ? { ...hit, type: 'Common Stock' } : hit);
  if (!listing) return { ok: false, reason: 'unsupported' };
  if (listing.assetType !== 'stock') return { ok: true, value: listing };
  const about = await call({ use, path: '/stock/profile2', params: { symbol }, shape: shapes.profile, signal });
  if (!about.ok) return isVague ? about : { ok: true, value: listing };
  if (about.value.ticker === null) return isVague ? { ok: false, reason: 'unsupported' } : { ok: true, value: listing };
  const { name, exchange, logo, currency, marketCapitalization: millions } = about.value;
  // It is in the currency of the company's accounts, which an ADR's price is not in.
  const isCap = millions !== null && millions > 0 && currency === listing.currency;
  const cap = isCap ? { marketCap: millions * 1e6 } : {};
  const known = { name: name ?? listing.name, exchange: exchange ?? listing.exchange, logo, ...cap };
  return { ok: true, value: { ...listing, ...known } };
}
