import { type FakeResponse, type FakeRequest, type FaultyServer, startFaultyServer } from '../faulty-server.ts';
import { PNG } from '../images.ts';

export const FINNHUB_KEY = 'finnhub-test-key-0123456789';

/** State of the fake provider, which tests change at any time. */
interface FinnhubState {
  /** `free`: requests for candles return 403. */
  plan: 'paid' | 'free';
  /** Symbols that the plan does not cover: requests with them return 403. */
  uncoveredSymbols: Set<string>;
  quotes: Map<string, object>;
  listings: Map<string, { description: string; type: string }>;
  profiles: Map<string, object>;
  /** Entries of `metric` by symbol. */
  metrics: Map<string, object>;
  /** Images under `/logo/…`. */
  images: Map<string, FakeResponse>;
  candles: Map<string, object>;
  earnings: { symbol: string; date: string; epsEstimate?: number | null; hour?: string }[];
  news: Map<string, object[]>;
  /** Dividends by symbol, newest first. The plan `free` has none. */
  dividends: Map<string, object[]>;
  status: { isOpen: boolean; session: string | null; holiday: string | null };
}

interface FinnhubFake extends FaultyServer {
  state: FinnhubState;
}

const toSeconds = (time: string): number => Date.parse(time) / 1_000;
/** Real rows omit keys without a value, and so do some of these. */
const createQuote = (c: number, pc: number) => ({
  c,
  d: c - pc,
  dp: (c / pc - 1) * 100,
  h: c,
  l: c,
  o: pc,
  pc,
  t: toSeconds('2026-11-20T16:15:00Z'),
});
/** Creates a dividend in the shape of the API. `freq` 2 is quarterly. */
export const createFinnhubDividend = (symbol: string, date: string, amount: number, extra: object = {}): object => ({
  symbol,
  date,
  amount,
  adjustedAmount: amount,
  payDate: '',
  recordDate: date,
  declarationDate: '',
  currency: 'USD',
  freq: '2',
  ...extra,
});
/** Response for an unknown symbol. */
const emptyResponse = { c: 0, d: null, dp: null, h: 0, l: 0, o: 0, pc: 0, t: 0 };

const days = ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20'];
const createCandles = (closes: readonly (number | null)[]) => ({
  c: closes,
  h: closes,
  l: closes,
  o: closes,
  t: days.map((day) => toSeconds(`${day}T00:00:00Z`)),
  v: closes.map(() => 1_000),
  s: 'ok',
});

const createInitialState = (): FinnhubState => ({
  plan: 'paid',
  uncoveredSymbols: new Set(),
  quotes: new Map<string, object>([
    ['AAPL', createQuote(232.8, 228.02)],
    ['MSFT', createQuote(410.5, 412)],
    ['BRK.B', createQuote(480.25, 479)],
    ['VOO', createQuote(540.1, 538.9)],
    ['NEWCO', { c: 20, h: 20, l: 20, t: toSeconds('2026-11-20T16:15:00Z') }],
  ]),
  listings: new Map([
    ['AAPL', { description: 'APPLE INC', type: 'Common Stock' }],
    ['BRK.B', { description: 'BERKSHIRE HATHAWAY INC-CL B', type: 'Common Stock' }],
    ['VOO', { description: 'VANGUARD S&P 500 ETF', type: 'ETP' }],
    ['BABA', { description: 'ALIBABA GROUP HOLDING-SP ADR', type: 'ADR' }],
    ['EPD', { description: 'ENTERPRISE PRODUCTS PARTNERS', type: 'MLP' }],
    // Some rows have no type.
    ['ET', { description: 'ENERGY TRANSFER LP', type: '' }],
    ['VAGUE', { description: 'VAGUE INDEX', type: '' }],
    ['AAPLW', { description: 'APPLE WARRANTS', type: 'Equity WRT' }],
  ]),
  profiles: new Map<string, object>([
    [
      'AAPL',
      {
        country: 'US',
        currency: 'USD',
        exchange: 'NASDAQ NMS - GLOBAL MARKET',
        finnhubIndustry: 'Technology',
        weburl: 'https://www.apple.com/',
        marketCapitalization: 3_500_000,
        name: 'Apple Inc',
        ticker: 'AAPL',
      },
    ],
    [
      'BRK.B',
      {
        country: 'US',
        currency: 'USD',
        exchange: 'NEW YORK STOCK EXCHANGE, INC.',
        marketCapitalization: 1_000_000,
        name: 'Berkshire Hathaway Inc',
        ticker: 'BRK.B',
      },
    ],
    [
      'ET',
      {
        country: 'US',
        currency: 'USD',
        exchange: 'NEW YORK STOCK EXCHANGE, INC.',
        name: 'Energy Transfer LP',
        ticker: 'ET',
      },
    ],
    // The currency of a profile is the currency of the company's financial statements.
    [
      'BABA',
      {
        country: 'CN',
        currency: 'CNY',
        exchange: 'NEW YORK STOCK EXCHANGE, INC.',
        name: 'Alibaba Group Holding Ltd',
        ticker: 'BABA',
      },
    ],
  ]),
  metrics: new Map<string, object>([
    ['AAPL', { peTTM: 34.3, currentDividendYieldTTM: 0.44, '52WeekHigh': 260.1, beta: 1.2 }],
    // Some rows have only the announced dividend.
    ['BRK.B', { peTTM: null, dividendYieldIndicatedAnnual: 0 }],
  ]),
  images: new Map([['AAPL.png', { headers: { 'content-type': 'image/png' }, body: PNG }]]),
  candles: new Map<string, object>([
    ['AAPL', createCandles([224.1, 226.4, null, 228.02, 231])],
    ['BRK.B', { ...createCandles([470, 472, 474, 479, 480]), h: undefined, l: undefined, o: undefined, v: undefined }],
  ]),
  earnings: [
    { symbol: 'AAPL', date: '2027-01-28', epsEstimate: 2.6, hour: 'amc' },
    { symbol: 'MSFT', date: '2027-01-26' },
    { symbol: 'BRK.B', date: '2027-02-01', epsEstimate: 4.8, hour: 'dmh' },
  ],
  news: new Map([
    [
      'AAPL',
      [
        {
          category: 'company',
          datetime: toSeconds('2026-11-20T14:30:00Z'),
          headline: 'Newest &amp; first',
          id: 2,
          image: '',
          related: 'AAPL',
          source: 'Wire',
          summary: '<b>Bold</b> words',
          url: 'https://wire.example/2',
        },
      ],
    ],
    [
      'MSFT',
      [
        {
          category: 'company',
          datetime: toSeconds('2026-11-19T23:00:00Z'),
          headline: 'Older',
          id: 1,
          image: '',
          related: 'MSFT',
          url: 'https://wire.example/1',
        },
      ],
    ],
  ]),
  dividends: new Map([
    [
      'AAPL',
      [
        createFinnhubDividend('AAPL', '2026-11-09', 0.26, { payDate: '2026-11-12' }),
        createFinnhubDividend('AAPL', '2026-08-10', 0.26, { payDate: '2026-08-13' }),
      ],
    ],
  ]),
  status: { isOpen: true, session: 'regular', holiday: null },
});

/** Starts a local Finnhub with the response shapes of its API. */
export async function startFinnhubFake(): Promise<FinnhubFake> {
  const state = createInitialState();
  const server = await startFaultyServer((request) => answer(state, request));
  state.profiles.set('AAPL', { ...state.profiles.get('AAPL'), logo: `${server.url}/logo/AAPL.png` });
  return Object.assign(server, { state });
}

function answer(state: FinnhubState, { path, params, headers }: FakeRequest): FakeResponse {
  if (path.startsWith('/logo/')) return state.images.get(path.slice('/logo/'.length)) ?? { status: 404, body: '' };
  if (headers['x-finnhub-token'] !== FINNHUB_KEY) return { status: 401, body: { error: 'Invalid API key' } };
  const symbol = params.get('symbol') ?? '';
  if (state.uncoveredSymbols.has(symbol))
    return { status: 403, body: { error: "You don't have access to this resource." } };
  switch (path) {
    case '/quote':
      return { body: state.quotes.get(symbol) ?? emptyResponse };
    case '/bond/profile':
    case '/bond/price': {
      const isin = params.get('isin') ?? '';
      if (state.plan === 'free') return { status: 403, body: { error: "You don't have access to this resource." } };
      const isKnownBond = isin === 'US912810TX63';
      if (path === '/bond/price')
        return {
          body: isKnownBond
            ? { c: [96.5, 97.125], t: days.slice(3).map((at) => toSeconds(`${at}T00:00:00Z`)), s: 'ok' }
            : {},
        };
      const asset = { isin, cusip: '912810TX6', coupon: 4.25, maturityDate: '2054-02-15', asset: 'US Treasury' };
      return { body: isKnownBond ? { ...asset, bondType: '', callable: false, industryGroup: 'Government' } : {} };
    }
    case '/stock/candle':
      return state.plan === 'free'
        ? { status: 403, body: { error: "You don't have access to this resource." } }
        : { body: state.candles.get(symbol) ?? { s: 'no_data' } };
    case '/calendar/earnings': {
      const matchingSymbols = state.earnings.filter(
        ({ symbol: sourceSymbol, date }) =>
          (symbol === '' || sourceSymbol === symbol) &&
          date >= (params.get('from') ?? '') &&
          date <= (params.get('to') ?? ''),
      );
      return {
        body: {
          earningsCalendar: matchingSymbols.map((report) => ({
            ...report,
            epsActual: null,
            quarter: 1,
            year: 2027,
            revenueActual: null,
            revenueEstimate: null,
          })),
        },
      };
    }
    case '/stock/dividend':
      return state.plan === 'free'
        ? { status: 403, body: { error: "You don't have access to this resource." } }
        : { body: state.dividends.get(symbol) ?? [] };
    case '/company-news':
      return { body: state.news.get(symbol) ?? [] };
    case '/search': {
      const expected = (params.get('q') ?? '').toUpperCase();
      const hits = [...state.listings].filter(
        ([name, { description }]) => name.startsWith(expected) || description.startsWith(expected),
      );
      return {
        body: {
          count: hits.length,
          result: hits.map(([name, { description, type }]) => ({
            description,
            displaySymbol: name,
            symbol: name,
            type,
          })),
        },
      };
    }
    case '/stock/metric':
      return {
        body: state.metrics.has(symbol) ? { metric: state.metrics.get(symbol), metricType: 'all', symbol } : {},
      };
    case '/stock/profile2':
      return { body: state.profiles.get(symbol) ?? {} };
    case '/stock/market-status':
      return {
        body: { exchange: 'US', timezone: 'America/New_York', t: toSeconds('2026-11-20T16:15:00Z'), ...state.status },
      };
    default:
      return { status: 404, body: { error: 'not found' } };
  }
}
