import { marketCalendar } from '../market-calendar.ts';
import { instantOf } from '../new-york-time.ts';
import type { Answer, Capability, DateRange, Listing, MarketDataProvider, Quote, ReportDate, Spend } from '../port.ts';
import type { Caller } from '../provider-call.ts';
import { createCaller } from '../provider-call.ts';
import { weeksOf } from '../weeks-of.ts';
import type { FmpQuote } from './fmp-shapes.ts';
import * as shapes from './fmp-shapes.ts';
import { fromFmp, guessKind, isNoListing, toFmp } from './fmp-symbols.ts';

const BASE_URL = 'https://financialmodelingprep.com/stable';
const capabilities: ReadonlySet<Capability> = new Set(['quotes', 'candles', 'earnings', 'news', 'search', 'lookup', 'splits']);

export interface FmpOptions {
  key: string;
  baseUrl?: string | undefined;
  spend: Spend;
  now: () => Date;
  timeoutMs?: number | undefined;
}

/** Financial Modeling Prep, the stable API. Its market hours are wrong on holidays, so it is not asked for the session. */
export function createFmp({ key, baseUrl = BASE_URL, spend, now, timeoutMs }: FmpOptions): MarketDataProvider {
  const call = createCaller({ baseUrl, params: { apikey: key }, spend, timeoutMs });
  let batches = true;
  return {
    id: 'fmp',
    capabilities,
    // As many as a widely used client sends in one call; more are untried.
    quotesPerCall: 20,
    // A longer list of companies is nobody's reading.
    newsSymbols: 20,
    earningsForAll: true,
    knowsHours: false,
    logoOrigins: ['https://images.financialmodelingprep.com', new URL(baseUrl).origin],
    async quotes(symbols, signal) {
      if (batches && symbols.length > 1) {
        const answer = await call({ use: 'quotes', path: '/batch-quote', params: { symbols: symbols.map(toFmp).join(',') }, shape: shapes.quotes, signal });
        if (answer.ok) return { ok: true, value: readQuotes(answer.value) };
        if (answer.reason !== 'not_entitled') return answer;
        batches = false; // the free plan: one call for each symbol
      }
      return quotesOneByOne(call, symbols, signal);
    },
    async dailyCandles(symbol, { from, to }, signal) {
      const answer = await call({ use: 'backfill', path: '/historical-price-eod/full', params: { symbol: toFmp(symbol), from, to }, shape: shapes.candles, signal });
      if (!answer.ok) return answer;
      const closed = marketCalendar.lastClosedDay(now());
      const kept = answer.value.filter(({ date, close }) => date >= from && date <= to && date <= closed && close > 0);
      return { ok: true, value: kept.sort((a, b) => (a.date < b.date ? -1 : 1)) };
    },
    earnings: (symbols, range, signal) => (symbols === 'all' ? allReports(call, range, signal) : reportsOf(call, symbols, range, signal)),
    async news(symbols, limit, signal) {
      const params = { symbols: symbols.map(toFmp).join(','), page: '0', limit: String(limit) };
      const answer = await call({ use: 'background', path: '/news/stock', params, shape: shapes.articles, signal });
      if (!answer.ok) return answer;
      const articles = answer.value.map(({ symbol, publishedDate, publisher, title, site, text, url }) => ({
        title,
        summary: text ?? '',
        url,
        source: publisher ?? site ?? '',
        published_at: newYorkTime(publishedDate),
        symbols: symbol === null ? [] : [fromFmp(symbol)],
        sample: false,
      }));
      return { ok: true, value: articles.sort((a, b) => (a.published_at < b.published_at ? 1 : -1)).slice(0, limit) };
    },
    search: (query, limit, signal) => search(call, query, limit, signal),
    async lookup(symbol, signal) {
      const answer = await call({ use: 'backfill', path: '/profile', params: { symbol: toFmp(symbol) }, shape: shapes.profiles, signal });
      if (!answer.ok) return answer;
      const profile = answer.value.find((candidate) => fromFmp(candidate.symbol) === symbol);
      if (!profile) return { ok: false, reason: 'unknown' };
      if (isNoListing(profile.exchange)) return { ok: false, reason: 'unsupported' };
      const assetType = profile.isEtf ? 'etf' : profile.isFund ? 'mutual_fund' : 'stock';
      return { ok: true, value: { symbol, name: profile.companyName, exchange: profile.exchange, assetType, currency: profile.currency, logo: profile.defaultImage ? null : profile.image } };
    },
    async splits(symbol, { from, to }, signal) {
      const answer = await call({ use: 'backfill', path: '/splits', params: { symbol: toFmp(symbol) }, shape: shapes.splits, signal });
      return answer.ok ? { ok: true, value: answer.value.filter(({ date }) => date >= from && date <= to) } : answer;
    },
    status: async () => ({ ok: false, reason: 'not_entitled' }),
  };
}

function readQuotes(rows: readonly FmpQuote[]): Map<string, Quote> {
  return new Map(rows.map(readQuote).filter((quote) => quote !== undefined).map((quote) => [quote.symbol, quote]));
}

/** FMP sends quotes without their currency; a row without a price or a time is no quote. */
function readQuote({ symbol, price, previousClose, open, dayHigh, dayLow, volume, marketCap, timestamp }: FmpQuote): Quote | undefined {
  if (price === null || price <= 0 || timestamp === null || timestamp <= 0 || timestamp > 1e11) return undefined;
  const asOf = new Date(timestamp * 1_000).toISOString();
  return { symbol: fromFmp(symbol), price, currency: null, prevClose: previousClose, open, dayHigh, dayLow, volume, marketCap, asOf, delayedMinutes: 15 };
}

async function quotesOneByOne(call: Caller, symbols: readonly string[], signal: AbortSignal): Promise<Answer<Map<string, Quote>>> {
  const quotes = new Map<string, Quote>();
  for (const symbol of symbols) {
    const answer = await call({ use: 'quotes', path: '/quote', params: { symbol: toFmp(symbol) }, shape: shapes.quotes, signal });
    if (answer.ok) for (const [name, quote] of readQuotes(answer.value)) quotes.set(name, quote);
    // What has been fetched is worth more than a clean failure.
    else if (answer.reason !== 'unknown') return quotes.size > 0 ? { ok: true, value: quotes } : answer;
  }
  return { ok: true, value: quotes };
}

interface FmpReport {
  symbol: string;
  date: string;
  epsEstimated: number | null;
}

/** FMP says neither the hour nor whether a date is confirmed, so each counts as an estimate. */
const readReport = ({ symbol, date, epsEstimated }: FmpReport): ReportDate => ({ symbol: fromFmp(symbol), date, when: null, eps_estimate: epsEstimated, estimated: true });

const byDate = (a: ReportDate, b: ReportDate): number => (a.date < b.date ? -1 : a.date > b.date ? 1 : a.symbol < b.symbol ? -1 : 1);

/** Week by week: longer windows are cut short without a word. */
async function allReports(call: Caller, range: DateRange, signal: AbortSignal): Promise<Answer<ReportDate[]>> {
  const reports: ReportDate[] = [];
  for (const { from, to } of weeksOf(range)) {
    const answer = await call({ use: 'background', path: '/earnings-calendar', params: { from, to }, shape: shapes.reports, signal });
    if (!answer.ok) return answer;
    reports.push(...answer.value.filter(({ date }) => date >= from && date <= to).map(readReport));
  }
  return { ok: true, value: reports.sort(byDate) };
}

async function reportsOf(call: Caller, symbols: readonly string[], range: DateRange, signal: AbortSignal): Promise<Answer<ReportDate[]>> {
  const reports: ReportDate[] = [];
  for (const symbol of symbols) {
    const answer = await call({ use: 'background', path: '/earnings', params: { symbol: toFmp(symbol), limit: '12' }, shape: shapes.reports, signal });
    if (!answer.ok) return answer;
    reports.push(...answer.value.filter(({ date }) => date >= range.from && date <= range.to).map(readReport));
  }
  return { ok: true, value: reports.sort(byDate) };
}

/** By symbol and by name, which are two questions with FMP. */
async function search(call: Caller, query: string, limit: number, signal: AbortSignal): Promise<Answer<Listing[]>> {
  const listings = new Map<string, Listing>();
  for (const path of ['/search-symbol', '/search-name']) {
    const answer = await call({ use: 'background', path, params: { query, limit: String(limit) }, shape: shapes.found, signal });
    if (!answer.ok && listings.size === 0) return answer;
    for (const hit of answer.ok ? answer.value : []) {
      if (isNoListing(hit.exchange)) continue;
      const symbol = fromFmp(hit.symbol);
      if (!listings.has(symbol)) listings.set(symbol, { symbol, name: hit.name, exchange: hit.exchange, assetType: guessKind(symbol, hit.name), currency: hit.currency, logo: null });
    }
  }
  return { ok: true, value: [...listings.values()].slice(0, limit) };
}

/** `YYYY-MM-DD HH:mm:ss` without a zone is New York's time. */
function newYorkTime(text: string): string {
  const [, date, hours, minutes, seconds = '0'] = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}):(\d{2})(?::(\d{2}))?/.exec(text) ?? [];
  if (date === undefined || Number.isNaN(Date.parse(date))) return '';
  return new Date(instantOf(date, Number(hours) * 60 + Number(minutes)).getTime() + Number(seconds) * 1_000).toISOString();
}
