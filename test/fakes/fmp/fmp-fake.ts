import { type FakeResponse, type FakeRequest, type FaultyServer, startFaultyServer } from '../faulty-server.ts';
import { PNG } from '../images.ts';

export const FMP_KEY = 'fmp-test-key-0123456789';

interface FmpQuote {
  symbol: string;
  price: number | string | null;
  previousClose: number | string | null;
  [field: string]: unknown;
}

/** State of the fake provider, which tests change at any time. */
interface FmpState {
  /** `free`: requests for batches and the market-wide calendar return 402. */
  plan: 'starter' | 'free';
  /** Symbols that the plan does not cover: requests with them return 402. */
  uncoveredSymbols: Set<string>;
  quotes: Map<string, FmpQuote>;
  profiles: Map<string, object>;
  candles: Map<string, object[]>;
  earnings: { symbol: string; date: string; epsEstimated?: number | null }[];
  news: object[];
  splits: Map<string, object[]>;
  /** Dividends of all securities. `date` is the ex-date. */
  dividends: { symbol: string; date: string; [field: string]: unknown }[];
  /** Ratios of the last twelve months. The plan `free` has none. */
  ratios: Map<string, object>;
  /** Images under `/image-stock/…`. */
  images: Map<string, FakeResponse>;
}

export interface FmpFake extends FaultyServer {
  state: FmpState;
}

const toTimestamp = Date.parse('2026-11-20T16:15:00Z') / 1_000;

/** Creates a quote in the shape of the stable API. */
export const createFmpQuote = (
  symbol: string,
  price: FmpQuote['price'],
  previousClose: FmpQuote['previousClose'],
  extra: object = {},
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
  timestamp: toTimestamp,
  ...extra,
});

/** Creates a dividend in the shape of the stable API. Texts without a value are empty. */
export const createFmpDividend = (
  symbol: string,
  date: string,
  dividend: number,
  extra: object = {},
): FmpState['dividends'][number] => ({
  symbol,
  date,
  recordDate: date,
  paymentDate: '',
  declarationDate: '',
  adjDividend: dividend,
  dividend,
  yield: 1,
  frequency: 'Quarterly',
  ...extra,
});

/** Creates candles in the provider's order, newest first, with today's unfinished candle at the start. */
export const createFmpCandles = (symbol: string, closes: readonly [date: string, close: number | null][]): object[] =>
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

const createProfile = (
  symbol: string,
  companyName: string,
  currency: string,
  exchange: string,
  extra: object = {},
) => ({
  symbol,
  companyName,
  currency,
  exchange,
  isEtf: false,
  isFund: false,
  ...extra,
});

const createInitialState = (): FmpState => ({
  plan: 'starter',
  uncoveredSymbols: new Set(),
  quotes: new Map([
    ['AAPL', createFmpQuote('AAPL', 232.8, 228.02)],
    ['MSFT', createFmpQuote('MSFT', 410.5, 412)],
    ['BRK-B', createFmpQuote('BRK-B', 480.25, 479)],
    ['VOO', createFmpQuote('VOO', 540.1, 538.9)],
    // Real rows omit keys without a value, and so do some rows here and below.
    [
      'VTSAX',
      createFmpQuote('VTSAX', 141.2, null, {
        open: undefined,
        volume: undefined,
        marketCap: undefined,
        dayHigh: null,
        dayLow: null,
      }),
    ],
    ['VOD.L', createFmpQuote('VOD.L', 7_215, 7_200, { marketCap: 18_000_000_000 })],
    ['GONE', createFmpQuote('GONE', null, null)],
  ]),
  profiles: new Map([
    [
      'AAPL',
      createProfile('AAPL', 'Apple Inc.', 'USD', 'NASDAQ', {
        isin: 'US0378331005',
        description: 'Apple Inc. designs <b>smartphones</b> &amp; computers.',
        industry: 'Consumer Electronics',
        website: 'https://www.apple.com',
      }),
    ],
    ['BRK-B', createProfile('BRK-B', 'Berkshire Hathaway Inc.', 'USD', 'NYSE')],
    ['VOO', createProfile('VOO', 'Vanguard S&P 500 ETF', 'USD', 'AMEX', { isEtf: true })],
    ['VTSAX', createProfile('VTSAX', 'Vanguard Total Stock Market Index Fund', 'USD', 'NASDAQ', { isFund: true })],
    ['VOD.L', createProfile('VOD.L', 'Vodafone Group Public Limited Company', 'GBp', 'LSE', { price: 7_215 })],
    ['BTCUSD', createProfile('BTCUSD', 'Bitcoin USD', 'USD', 'CRYPTO')],
  ]),
  candles: new Map(
    ['AAPL', 'BRK-B'].map((symbol) => [
      symbol,
      createFmpCandles(symbol, [
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
  dividends: [
    createFmpDividend('AAPL', '2027-02-08', 0.26, { paymentDate: '2027-02-11', declarationDate: '2027-01-28' }),
    createFmpDividend('AAPL', '2026-11-09', 0.26, { paymentDate: '2026-11-12', declarationDate: '2026-10-29' }),
    createFmpDividend('MSFT', '2026-11-19', 0.91, { paymentDate: '2026-12-10', declarationDate: '2026-09-15' }),
  ],
  ratios: new Map([['AAPL', { symbol: 'AAPL', priceToEarningsRatioTTM: 34.27, dividendYieldTTM: 0.0044 }]]),
  images: new Map([['AAPL.png', { headers: { 'content-type': 'image/png' }, body: PNG }]]),
});

/** Starts a local Financial Modeling Prep with the response shapes of its stable API. */
export async function startFmpFake(): Promise<FmpFake> {
  const state = createInitialState();
  const server = await startFaultyServer((request) => answer(state, request));
  for (const [symbol, known] of state.profiles)
    state.profiles.set(symbol, {
      ...known,
      image: `${server.url}/image-stock/${symbol}.png`,
      ...(symbol === 'BRK-B' ? { defaultImage: true } : {}),
    });
  return Object.assign(server, { state });
}

const uncovered: FakeResponse = {
  status: 402,
  body:
    "Premium Query Parameter: 'Special Endpoint : This value set for 'symbol' is not available under your " +
    'current subscription',
};
const isPremiumOnly: FakeResponse = {
  status: 402,
  body: 'Premium Query Parameter: this value is not available under your current subscription',
};

function answer(state: FmpState, { path, params }: FakeRequest): FakeResponse {
  if (path.startsWith('/image-stock/'))
    return state.images.get(path.slice('/image-stock/'.length)) ?? { status: 404, body: '' };
  if (params.get('apikey') !== FMP_KEY) return { status: 401, body: { 'Error Message': 'Invalid API KEY.' } };
  const symbol = params.get('symbol') ?? '';
  if (
    [symbol, ...(params.get('symbols') ?? '').split(',')].some((requestedSymbols) =>
      state.uncoveredSymbols.has(requestedSymbols),
    )
  )
    return uncovered;
  const isInRange = ({ date }: { date: string }): boolean =>
    date >= (params.get('from') ?? '') && date <= (params.get('to') ?? '9');
  const isListed = <T>(value: T | undefined): T[] => (value === undefined ? [] : [value]);
  switch (path) {
    case '/quote':
      return { body: isListed(state.quotes.get(symbol)) };
    case '/batch-quote':
      return state.plan === 'free'
        ? isPremiumOnly
        : {
            body: (params.get('symbols') ?? '')
              .split(',')
              .flatMap((candidate) => isListed(state.quotes.get(candidate))),
          };
    case '/historical-price-eod/full':
      return { body: (state.candles.get(symbol) ?? []).filter((candle) => isInRange(candle as { date: string })) };
    case '/earnings':
      return { body: state.earnings.filter((report) => report.symbol === symbol) };
    case '/earnings-calendar':
      return state.plan === 'free' ? isPremiumOnly : { body: state.earnings.filter(isInRange) };
    case '/news/stock': {
      const expected = new Set((params.get('symbols') ?? '').split(','));
      return {
        body: state.news
          .filter((article) => expected.has((article as { symbol: string }).symbol))
          .slice(0, Number(params.get('limit'))),
      };
    }
    case '/search-symbol':
    case '/search-name': {
      const expected = (params.get('query') ?? '').toLowerCase();
      const hits = [...state.profiles.values()] as {
        symbol: string;
        companyName: string;
        currency: string;
        exchange: string;
      }[];
      const found = hits.filter((hit) =>
        (path === '/search-symbol' ? hit.symbol : hit.companyName).toLowerCase().startsWith(expected),
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
      return { body: isListed(state.profiles.get(symbol)) };
    case '/shares-float':
      return { body: symbol === 'VOD.L' ? [{ symbol, outstandingShares: 250_000_000, freeFloat: 99 }] : [] };
    case '/ratios-ttm': {
      if (state.plan === 'free') return isPremiumOnly;
      return { body: isListed(state.ratios.get(symbol)) };
    }
    case '/dividends':
      return { body: state.dividends.filter((dividend) => dividend.symbol === symbol) };
    case '/dividends-calendar':
      return state.plan === 'free' ? isPremiumOnly : { body: state.dividends.filter(isInRange) };
    case '/splits':
      return { body: state.splits.get(symbol) ?? [] };
    default:
      return { status: 404, body: '' };
  }
}
