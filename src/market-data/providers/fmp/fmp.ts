import { marketCalendar } from '../../calendar/market-calendar.ts';
import { instantOf } from '../../calendar/new-york-time.ts';
import type {
  Answer,
  CallClass,
  Capability,
  DateRange,
  Listing,
  MarketDataProvider,
  Quote,
  ReportDate,
} from '../port.ts';
import { readCurrency } from '../../prices/minor-units.ts';
import { askEach } from '../ask-each.ts';
import { type Caller, type ClientOptions, createCaller, PLAN_MS, SAMPLE_SYMBOL } from '../provider-call.ts';
import { weeksOf } from '../../reports/weeks-of.ts';
import type { FmpArticle, FmpQuote, FmpReport } from './fmp-shapes.ts';
import * as shapes from './fmp-shapes.ts';
import { fromFmp, guessKind, isNoListing, toFmp } from './fmp-symbols.ts';
import { byDate, newestFirst } from '../answer-shapes.ts';

const BASE_URL = 'https://financialmodelingprep.com/stable';
const sample = { symbol: SAMPLE_SYMBOL };
const capabilities: ReadonlySet<Capability> = new Set([
  'quotes',
  'candles',
  'earnings',
  'news',
  'search',
  'lookup',
  'splits',
]);

/** Financial Modeling Prep, the stable API. Its market hours are wrong on holidays, so it has no session. */
export function createFmp({ key, baseUrl = BASE_URL, spend, now, timeoutMs }: ClientOptions): MarketDataProvider {
  const call = createCaller({ baseUrl, params: { apikey: key }, spend, now, timeoutMs });
  return {
    id: 'fmp',
    capabilities,
    // As many as widely used clients send in one call; more are untried.
    quotesPerCall: 100,
    // A longer list of companies makes no readable news.
    newsSymbols: 20,
    earningsForAll: true,
    knowsHours: false,
    logoOrigins: ['https://images.financialmodelingprep.com', new URL(baseUrl).origin],
    quotes: createQuotes(call, now),
    async dailyCandles(symbol, { from, to }, signal) {
      const answer = await call({
        use: 'backfill',
        path: '/historical-price-eod/full',
        params: { symbol: toFmp(symbol), from, to },
        sample,
        shape: shapes.candles,
        signal,
      });
      if (!answer.ok) return answer;
      const closed = marketCalendar.lastClosedDay(now());
      const kept = answer.value.filter(({ date, close }) => date >= from && date <= to && date <= closed && close > 0);
      return { ok: true, value: kept.sort((a, b) => (a.date < b.date ? -1 : 1)) };
    },
    earnings: (symbols, range, signal) => reportsOf(call, symbols, range, signal),
    async news(symbols, limit, signal) {
      const answer = await articlesAbout(call, symbols, limit, signal);
      if (!answer.ok) return answer;
      const articles = answer.value.map(({ symbol, publishedDate, publisher, title, site, text, url }) => ({
        title,
        summary: text ?? '',
        url,
        source: publisher ?? site ?? '',
        published_at: newYorkTime(publishedDate),
        symbols: symbols.filter((asked) => symbol !== null && asked === fromFmp(symbol)),
        sample: false,
      }));
      return { ...answer, value: articles.sort(newestFirst).slice(0, limit) };
    },
    search: (query, limit, signal) => search(call, query, limit, signal),
    async lookup(symbol, signal, use = 'listing') {
      const answer = await call({
        use,
        path: '/profile',
        params: { symbol: toFmp(symbol) },
        sample,
        shape: shapes.profiles,
        signal,
      });
      if (!answer.ok) return answer;
      const profile = answer.value.find((candidate) => fromFmp(candidate.symbol) === symbol);
      if (!profile) return { ok: false, reason: 'unknown' };
      if (isNoListing(profile.exchange)) return { ok: false, reason: 'unsupported' };
      // A delisted company has a profile for good, and no price.
      if (!profile.isActivelyTrading) return { ok: false, reason: 'unknown' };
      const assetType = profile.isEtf ? 'etf' : profile.isFund ? 'mutual_fund' : 'stock';
      const marketCap = assetType === 'stock' ? await capInPounds(call, symbol, profile, signal, use) : null;
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
        },
      };
    },
    async splits(symbol, { from, to }, signal) {
      const answer = await call({
        use: 'listing',
        path: '/splits',
        params: { symbol: toFmp(symbol) },
        sample,
        shape: shapes.splits,
        signal,
      });
      return answer.ok ? { ok: true, value: answer.value.filter(({ date }) => date >= from && date <= to) } : answer;
    },
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
  const params = { symbol: toFmp(symbol) };
  const answer = await call({ use, path: '/shares-float', params, shape: shapes.floats, signal });
  const shares = answer.ok ? (answer.value[0]?.outstandingShares ?? null) : null;
  return shares !== null && shares > 0 ? Math.round((shares * price) / 100) : null;
}

function readQuotes(rows: readonly FmpQuote[]): Map<string, Quote> {
  return new Map(
    rows
      .map(readQuote)
      .filter((quote) => quote !== undefined)
      .map((quote) => [quote.symbol, quote]),
  );
}

/** FMP sends quotes without their currency; a row without a price or a time is no quote. */
function readQuote({
  symbol,
  price,
  previousClose,
  open,
  dayHigh,
  dayLow,
  volume,
  marketCap,
  timestamp,
}: FmpQuote): Quote | undefined {
  if (price === null || price <= 0 || timestamp === null || timestamp <= 0 || timestamp > 1e11) return undefined;
  const asOf = new Date(timestamp * 1_000).toISOString();
  return {
    symbol: fromFmp(symbol),
    price,
    currency: null,
    prevClose: previousClose,
    open,
    dayHigh,
    dayLow,
    volume,
    marketCap,
    asOf,
    delayedMinutes: 15,
  };
}

/** A refused batch is repeated symbol by symbol: the plan lacks batches or one symbol, remembered for an hour. */
function createQuotes(call: Caller, now: () => Date): MarketDataProvider['quotes'] {
  let batchesFrom = 0;
  const leftOutUntil = new Map<string, number>();
  return async (symbols, signal, use = 'quotes') => {
    const time = now().getTime();
    const asked = symbols.filter((symbol) => (leftOutUntil.get(symbol) ?? 0) <= time);
    const inBatch = asked.length > 1 && batchesFrom <= time;
    if (inBatch) {
      const answer = await call({
        use,
        path: '/batch-quote',
        params: { symbols: asked.map(toFmp).join(',') },
        shape: shapes.quotes,
        signal,
      });
      if (answer.ok) return { ok: true, value: readQuotes(answer.value) };
      if (answer.reason !== 'not_entitled') return answer;
    }
    const answer = await askEach(asked, (symbol) =>
      call({ use, path: '/quote', params: { symbol: toFmp(symbol) }, sample, shape: shapes.quotes, signal }),
    );
    if (!answer.ok && answer.reason !== 'unknown') return answer;
    const lacking = answer.ok ? asked.filter((symbol) => answer.value.get(symbol) === null) : asked;
    for (const symbol of lacking) leftOutUntil.set(symbol, time + PLAN_MS);
    if (inBatch && lacking.length === 0) batchesFrom = time + PLAN_MS;
    if (!answer.ok) return answer;
    const nothing = answer.rest ? symbols.filter((symbol) => answer.value.has(symbol) || !asked.includes(symbol)) : [];
    const known = readQuotes([...answer.value.values()].flatMap((rows) => rows ?? []));
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
): Promise<Answer<FmpArticle[]>> {
  const ask = (some: readonly string[]): Promise<Answer<FmpArticle[]>> => {
    const params = { symbols: some.map(toFmp).join(','), page: '0', limit: String(limit) };
    return call({
      use: 'background',
      path: '/news/stock',
      params,
      sample: { symbols: SAMPLE_SYMBOL },
      shape: shapes.articles,
      signal,
    });
  };
  const answer = await ask(symbols);
  if (answer.ok || answer.reason !== 'unknown' || symbols.length < 2) return answer;
  const half = Math.ceil(symbols.length / 2);
  const halves = await askEach([symbols.slice(0, half), symbols.slice(half)], ask);
  return halves.ok ? { ...halves, value: [...halves.value.values()].flatMap((articles) => articles ?? []) } : halves;
}

/** FMP says neither the hour nor whether a date is confirmed, so each counts as an estimate. */
const readReport = ({ symbol, date, epsEstimated }: FmpReport): ReportDate => ({
  symbol: fromFmp(symbol),
  date,
  when: null,
  eps_estimate: epsEstimated,
  estimated: true,
});

/** All reports are read week by week: longer windows are cut short without a word. */
async function reportsOf(
  call: Caller,
  symbols: readonly string[] | 'all',
  range: DateRange,
  signal: AbortSignal,
): Promise<Answer<ReportDate[]>> {
  const questions =
    symbols === 'all'
      ? weeksOf(range).map((week) => ({ week, path: '/earnings-calendar', params: { ...week } }))
      : symbols.map((symbol) => ({
          ...{ week: range, path: '/earnings', params: { symbol: toFmp(symbol), limit: '12' } },
          sample,
        }));
  const reports: ReportDate[] = [];
  for (const { week, ...question } of questions) {
    const answer = await call({ use: 'background', ...question, shape: shapes.reports, signal });
    if (!answer.ok && answer.reason === 'unknown' && symbols !== 'all') continue;
    if (!answer.ok) return answer;
    reports.push(...answer.value.filter(({ date }) => date >= week.from && date <= week.to).map(readReport));
  }
  return { ok: true, value: reports.sort(byDate) };
}

/** By symbol and by name, which are two questions with FMP. */
async function search(call: Caller, query: string, limit: number, signal: AbortSignal): Promise<Answer<Listing[]>> {
  const listings = new Map<string, Listing>();
  const found = (): Listing[] => [...listings.values()].slice(0, limit);
  for (const path of ['/search-symbol', '/search-name']) {
    const answer = await call({
      use: 'background',
      path,
      params: { query, limit: String(limit) },
      shape: shapes.found,
      signal,
    });
    if (!answer.ok) return listings.size === 0 ? answer : { ok: true, value: found(), rest: answer };
    for (const hit of answer.value) {
      if (isNoListing(hit.exchange)) continue;
      const symbol = fromFmp(hit.symbol);
      if (!listings.has(symbol))
        listings.set(symbol, {
          symbol,
          name: hit.name,
          exchange: hit.exchange,
          assetType: guessKind(symbol, hit.name),
          currency: hit.currency,
          logo: null,
        });
    }
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
