import { type FakeAnswer, type FakeRequest, type FaultyServer, startFaultyServer } from '../faulty-server.ts';
import { PNG } from '../images.ts';

export const FMP_KEY = 'fmp-test-key-0123456789';

interface FmpQuote {
  symbol: string;
  price: number | string | null;
  previousClose: number | string | null;
  [field: string]: unknown;
}

/** What the fake provider holds; tests change it while it runs. */
interface FmpState {
  /** `free`: batches and the market-wide calendar are answered with 402. */
  plan: 'starter' | 'free';
  /** Symbols that the plan does not cover: whatever names one of them is answered with 402. */
  uncovered: Set<string>;
  quotes: Map<string, FmpQuote>;
  profiles: Map<string, object>;
  candles: Map<string, object[]>;
  earnings: { symbol: string; date: string; epsEstimated?: number | null }[];
  news: object[];
  splits: Map<string, object[]>;
  /** What lies under `/image-stock/…`. */
  images: Map<string, FakeAnswer>;
}

export interface FmpFake extends FaultyServer {
  state: FmpState;
}

const stamp = Date.parse('2026-11-20T16:15:00Z') / 1_000;

/** A quote in the shape of the stable API. */
export const fmpQuote = (
  symbol: string,
  price: FmpQuote['price'],
  previousClose: FmpQuote['previousClose'],
  more: object = {},
): FmpQuote => ({
  symbol,
  name: symbol,
  price,
  changePercentage: 1,
  change: 1,
  volume: 1_000_000,
  dayLow: price,
  dayHigh: price,
  yearHigh: price,
  yearLow: price,
  marketCap: 1_000_000_000,
  priceAvg50: price,
  priceAvg200: price,
  exchange: 'NASDAQ',
  open: price,
  previousClose,
  timestamp: stamp,
  ...more,
});

/** Newest first, as the provider sends them, with today's unfinished bar on top. */
export const fmpCandles = (symbol: string, closes: readonly [date: string, close: number | null][]): object[] =>
  closes
    .map(([date, close]) => ({
      symbol,
      date,
      open: close,
      high: close,
      low: close,
      close,
      volume: 1_000,
      change: 0,
      changePercent: 0,
      vwap: close,
    }))
    .reverse();

const profile = (symbol: string, companyName: string, currency: string, exchange: string, more: object = {}) => ({
  symbol,
  companyName,
  currency,
  exchange,
  isEtf: false,
  isFund: false,
  ...more,
});

const initialState = (): FmpState => ({
  plan: 'starter',
  uncovered: new Set(),
  quotes: new Map([
    ['AAPL', fmpQuote('AAPL', 232.8, 228.02)],
    ['MSFT', fmpQuote('MSFT', 410.5, 412)],
    ['BRK-B', fmpQuote('BRK-B', 480.25, 479)],
    ['VOO', fmpQuote('VOO', 540.1, 538.9)],
    // Real rows leave keys out that have no value; here and below some do.
    [
      'VTSAX',
      fmpQuote('VTSAX', 141.2, null, {
        open: undefined,
        volume: undefined,
        marketCap: undefined,
        dayHigh: null,
        dayLow: null,
      }),
    ],
    ['VOD.L', fmpQuote('VOD.L', 7_215, 7_200, { marketCap: 18_000_000_000 })],
    ['GONE', fmpQuote('GONE', null, null)],
  ]),
  profiles: new Map([
    ['AAPL', profile('AAPL', 'Apple Inc.', 'USD', 'NASDAQ', { isin: 'US0378331005' })],
    ['BRK-B', profile('BRK-B', 'Berkshire Hathaway Inc.', 'USD', 'NYSE')],
    ['VOO', profile('VOO', 'Vanguard S&P 500 ETF', 'USD', 'AMEX', { isEtf: true })],
    ['VTSAX', profile('VTSAX', 'Vanguard Total Stock Market Index Fund', 'USD', 'NASDAQ', { isFund: true })],
    ['VOD.L', profile('VOD.L', 'Vodafone Group Public Limited Company', 'GBp', 'LSE', { price: 7_215 })],
    ['BTCUSD', profile('BTCUSD', 'Bitcoin USD', 'USD', 'CRYPTO')],
  ]),
  candles: new Map(
    ['AAPL', 'BRK-B'].map((symbol) => [
      symbol,
      fmpCandles(symbol, [
        ['2026-11-16', 224.1],
        ['2026-11-17', 226.4],
        ['2026-11-18', null],
        ['2026-11-19', 228.02],
        ['2026-11-20', 231],
      ]),
    ]),
  ),
  earnings: [
    { symbol: 'AAPL', date: '2027-01-28', epsEstimated: 2.6 },
    { symbol: 'MSFT', date: '2027-01-26' },
    { symbol: 'BRK-B', date: '2027-02-27', epsEstimated: 4.8 },
    { symbol: 'AAPL', date: '2026-10-29', epsEstimated: 1.7 },
  ],
  news: [
    {
      symbol: 'AAPL',
      publishedDate: '2026-11-20 09:30:00',
      publisher: 'Wire',
      title: 'Newest &amp; first',
      image: 'https://img.example/1.png',
      site: 'wire.example',
      text: '<b>Bold</b> words',
      url: 'https://wire.example/2',
    },
    {
      symbol: 'MSFT',
      publishedDate: '2026-11-19 18:00:00',
      publisher: 'Wire',
      title: 'Older',
      text: 'Text',
      url: 'https://wire.example/1',
    },
  ],
  splits: new Map(),
  images: new Map([['AAPL.png', { headers: { 'content-type': 'image/png' }, body: PNG }]]),
});

/** Financial Modeling Prep on this machine, with the shapes of its stable API. */
export async function startFmpFake(): Promise<FmpFake> {
  const state = initialState();
  const server = await startFaultyServer((request) => answer(state, request));
  for (const [symbol, known] of state.profiles)
    state.profiles.set(symbol, {
      ...known,
      image: `${server.url}/image-stock/${symbol}.png`,
      ...(symbol === 'BRK-B' ? { defaultImage: true } : {}),
    });
  return Object.assign(server, { state });
}

const uncovered: FakeAnswer = {
  status: 402,
  body:
    "Premium Query Parameter: 'Special Endpoint : This value set for 'symbol' is not available under your " +
    'current subscription',
};
const premium: FakeAnswer = {
  status: 402,
  body: 'Premium Query Parameter: this value is not available under your current subscription',
};

function answer(state: FmpState, { path, params }: FakeRequest): FakeAnswer {
  if (path.startsWith('/image-stock/'))
    return state.images.get(path.slice('/image-stock/'.length)) ?? { status: 404, body: '' };
  if (params.get('apikey') !== FMP_KEY) return { status: 401, body: { 'Error Message': 'Invalid API KEY.' } };
  const symbol = params.get('symbol') ?? '';
  if ([symbol, ...(params.get('symbols') ?? '').split(',')].some((named) => state.uncovered.has(named)))
    return uncovered;
  const within = ({ date }: { date: string }): boolean =>
    date >= (params.get('from') ?? '') && date <= (params.get('to') ?? '9');
  const listed = <T>(value: T | undefined): T[] => (value === undefined ? [] : [value]);
  switch (path) {
    case '/quote':
      return { body: listed(state.quotes.get(symbol)) };
    case '/batch-quote':
      return state.plan === 'free'
        ? premium
        : { body: (params.get('symbols') ?? '').split(',').flatMap((one) => listed(state.quotes.get(one))) };
    case '/historical-price-eod/full':
      return { body: (state.candles.get(symbol) ?? []).filter((candle) => within(candle as { date: string })) };
    case '/earnings':
      return { body: state.earnings.filter((report) => report.symbol === symbol) };
    case '/earnings-calendar':
      return state.plan === 'free' ? premium : { body: state.earnings.filter(within) };
    case '/news/stock': {
      const wanted = new Set((params.get('symbols') ?? '').split(','));
      return {
        body: state.news
          .filter((article) => wanted.has((article as { symbol: string }).symbol))
          .slice(0, Number(params.get('limit'))),
      };
    }
    case '/search-symbol':
    case '/search-name': {
      const wanted = (params.get('query') ?? '').toLowerCase();
      const hits = [...state.profiles.values()] as {
        symbol: string;
        companyName: string;
        currency: string;
        exchange: string;
      }[];
      const found = hits.filter((hit) =>
        (path === '/search-symbol' ? hit.symbol : hit.companyName).toLowerCase().startsWith(wanted),
      );
      return {
        body: found.map((hit) => ({
          symbol: hit.symbol,
          name: hit.companyName,
          currency: hit.currency,
          exchangeFullName: hit.exchange,
          exchange: hit.exchange,
        })),
      };
    }
    case '/search-isin':
      return {
        body: ([...state.profiles.values()] as { symbol: string; companyName: string; isin?: string }[])
          .filter(({ isin }) => isin !== undefined && isin === params.get('isin'))
          .map((hit) => ({ symbol: hit.symbol, name: hit.companyName, isin: hit.isin, marketCap: 1 })),
      };
    case '/profile':
      return { body: listed(state.profiles.get(symbol)) };
    case '/shares-float':
      return { body: symbol === 'VOD.L' ? [{ symbol, outstandingShares: 250_000_000, freeFloat: 99 }] : [] };
    case '/splits':
      return { body: state.splits.get(symbol) ?? [] };
    default:
      return { status: 404, body: '' };
  }
}
