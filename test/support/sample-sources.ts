import type { MemberDataSources } from '../../src/features/assistant/tools/tool-context.ts';
import type { Position } from '../../src/features/portfolio/contract.ts';
import type { Article } from '../../src/features/portfolio/dashboard/contract.ts';
import type { TickerDetail } from '../../src/features/watchlist/contract.ts';

/** A Monday with trading in New York, an hour after the opening. */
const NOW = new Date('2026-11-23T15:30:00.000Z');

const ID = '0199a7c2-6a10-7c44-8d21-5b0e9f3c7a10';

const quote = {
  symbol: 'AAPL',
  name: 'Apple Inc.',
  logo: null,
  asset_type: 'stock' as const,
  currency: 'USD',
  price: 230,
  price_unit: 'currency' as const,
  change_1d: 2.22,
  price_at: '2026-11-23T15:15:00.000Z',
};

const term = {
  label: 'AAPL in Brokerage',
  quantity: 10,
  price: 230,
  price_currency: 'USD',
  price_unit: 'currency' as const,
  price_at: quote.price_at,
  source: 'fmp',
  rate: null,
  rate_date: null,
  amount: 2300,
  currency: 'USD',
};
const secondTerm = { ...term, label: 'AAPL in Everyday', quantity: 2, amount: 460 };
const cashTerm = {
  ...term,
  label: 'Cash in Savings',
  quantity: null,
  price: null,
  price_currency: 'GBP',
  price_unit: null,
  source: 'manual',
  rate: 1.25,
  rate_date: '2026-11-20',
  amount: 1000,
};

const position: Position = {
  ...quote,
  explain: { terms: [term, secondTerm], excluded: [] },
  logo_source: null,
  quantity: 12,
  value: 2760,
  cost_basis: 1900,
  change_amount: 59.94,
  gain: { amount: 860, percent: 45.2632 },
  weight: 100,
  accounts: [
    {
      account_id: ID,
      account_name: 'Brokerage',
      quantity: 10,
      value: 2300,
      cost_basis: 1500,
      change_amount: 49.95,
      gain: { amount: 800, percent: 53.3333 },
      currency: 'USD',
    },
    {
      account_id: ID,
      account_name: 'Everyday',
      quantity: 2,
      value: 460,
      cost_basis: 400,
      change_amount: 9.99,
      gain: { amount: 60, percent: 15 },
      currency: 'USD',
    },
  ],
};

const locked = {
  id: ID,
  symbol: 'TSLA',
  position: 3,
  asset_type: 'stock' as const,
  name: 'Tesla',
  exchange: 'NASDAQ',
  logo: null,
  currency: 'USD',
  price_unit: 'currency' as const,
  held: false,
  next_report: null,
  created_at: '2026-11-01T12:00:00.000Z',
  updated_at: '2026-11-01T12:00:00.000Z',
  locked: true as const,
};

const detail: TickerDetail = {
  ...locked,
  ...quote,
  position: 1,
  locked: false,
  change_amount: 5,
  prev_close: 225,
  market_cap: 3.4e12,
  delayed_minutes: 15,
  sample: false,
  held: true,
  next_report: { date: '2026-11-25', when: 'amc' },
  open: 226,
  day_low: 225.5,
  day_high: 231,
  low_52w: 170,
  high_52w: 231.5,
  volume: 41_000_000,
  closes: [],
  ranges: {},
  positions: position.accounts,
  history: 'ok',
};

const article: Article = {
  title: 'Apple raises its outlook for the holidays',
  summary: 'The company expects more than analysts do.',
  url: 'https://news.example.com/apple-outlook',
  source: 'Example Wire',
  published_at: '2026-11-23T13:05:00.000Z',
  symbols: ['AAPL'],
  related_held: ['AAPL'],
  related_watched: ['AAPL'],
  from_watchlist: false,
};

/** Creates the data of a member who holds and watches AAPL and watches two more. The plan locks one of these. */
export const createSources = (
  overrides: { [Part in 'watchlist' | 'portfolios' | 'dashboard']?: Partial<MemberDataSources[Part]> } = {},
): MemberDataSources => ({
  database: { readOnly: undefined },
  watchlist: {
    isWatchlistOn: async () => true,
    getWatchlist: async () => ({
      rows: [
        { item: detail },
        {
          item: {
            ...detail,
            symbol: 'MSFT',
            name: 'Microsoft',
            position: 2,
            price: 410,
            change_1d: -2.38,
            held: false,
            change_amount: -10,
            prev_close: 420,
            next_report: null,
          },
        },
        { item: locked },
      ],
    }),
    getTickerDetail: async (_member, symbol) =>
      symbol.toUpperCase() === 'AAPL' ? { ok: true, detail } : { ok: false, reason: 'not_shown' },
    ...overrides.watchlist,
  },
  portfolios: {
    getPortfolio: async () => ({ positions: [position], sample_data: false }),
    getNetWorth: async () => ({
      currencies: [
        {
          currency: 'USD',
          cash: 1000,
          liabilities: 0,
          investments: 2760,
          total: 3760,
          history: [{ date: '2026-10-24', cash: 900, investments: 2600, total: 3500 }],
        },
      ],
      base: {
        currency: 'USD',
        chosen: false,
        cash: 1000,
        liabilities: 0,
        investments: 2760,
        total: 3760,
        history: [{ date: '2026-10-24', cash: 900, investments: 2600, total: 3500 }],
        changes: [
          {
            period: 'all',
            from: '2026-10-24',
            amount: 260,
            market: 160,
            flows: 100,
            exchange_rates: 0,
            gain: 160,
            percent: 4.4444,
          },
        ],
        rates: [],
        excluded: [],
      },
      explain: { terms: [term, secondTerm, cashTerm], excluded: [] },
      unpriced: [],
      session_day: '2026-11-24',
      sample_data: false,
    }),
    ...overrides.portfolios,
  },
  dashboard: {
    getUpcomingReports: async () => ({
      earnings: [
        {
          symbol: 'AAPL',
          name: 'Apple Inc.',
          date: '2026-11-25',
          when: 'amc',
          eps_estimate: 2.65,
          estimated: false,
          sample: false,
          held: true,
          watching: true,
          market_days: 2,
          chip: '2d',
        },
      ],
      complete: true,
      sample_data: false,
    }),
    getNews: async () => ({ articles: [article], sample_data: false, complete: true }),
    ...overrides.dashboard,
  },
  getMarketSession: async () => ({ session: 'open', next_change_at: '2026-11-23T21:00:00.000Z' }),
  now: () => NOW,
});

export const sampleMember = { idpId: 'user_ada', sessionId: 'sess_1', isSampleUser: false };
