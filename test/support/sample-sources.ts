import { readFileSync } from 'node:fs';
import type { MemberDataSources } from '../../src/features/assistant/tools/tool-context.ts';
import type { Position } from '../../src/features/portfolio/holdings/contract.ts';
import type { TickerDetail } from '../../src/features/watchlist/contract.ts';

type Answer<Read extends (...args: never[]) => unknown> = Awaited<ReturnType<Read>>;

/** Answers of the features about a member who holds and watches AAPL and watches two more. */
interface Recorded {
  /** Rows of the list: the held one, another and a locked one. */
  listed: NonNullable<Answer<MemberDataSources['watchlist']['getWatchlist']>>['rows'][number]['item'][];
  detail: TickerDetail;
  portfolio: { positions: Position[]; sample_data: boolean };
  net_worth: Answer<MemberDataSources['portfolios']['getNetWorth']>;
  reports: Answer<MemberDataSources['dashboard']['getUpcomingReports']>;
  news: Answer<MemberDataSources['dashboard']['getNews']>;
  session: Answer<MemberDataSources['getMarketSession']>;
}

const recorded = JSON.parse(readFileSync(new URL('sample-sources.json', import.meta.url), 'utf8')) as Recorded;

/** A Monday with trading in New York, an hour after the opening. */
const NOW = new Date('2026-11-23T15:30:00.000Z');

/** Creates the data of a member who holds and watches AAPL and watches two more. The plan locks one of these. */
export const createSources = (
  overrides: { [Part in 'watchlist' | 'portfolios' | 'dashboard']?: Partial<MemberDataSources[Part]> } = {},
): MemberDataSources => ({
  database: { readOnly: undefined },
  watchlist: {
    isWatchlistOn: async () => true,
    getWatchlist: async () => ({ rows: recorded.listed.map((item) => ({ item })) }),
    getTickerDetail: async (_member, symbol) =>
      symbol.toUpperCase() === 'AAPL' ? { ok: true, detail: recorded.detail } : { ok: false, reason: 'not_shown' },
    ...overrides.watchlist,
  },
  portfolios: {
    getPortfolio: async () => recorded.portfolio,
    getNetWorth: async () => recorded.net_worth,
    getDividendIncome: async () => ({
      rows: [
        { symbol: 'AAPL', name: 'Apple Inc.', month: '2026-08', status: 'paid', income: 3 },
        { symbol: 'AAPL', name: 'Apple Inc.', month: '2027-02', status: 'expected', income: 3.12 },
      ],
      dividends: {
        currency: 'USD',
        payments: [],
        income_90_days: 3.12,
        income_12_months: 12.48,
        yield_on_value: 0.45,
        yield_on_cost: 0.66,
        holdings: [],
        months: [],
        excluded: [],
        complete: true,
        sample_data: false,
      },
    }),
    ...overrides.portfolios,
  },
  dashboard: {
    getUpcomingReports: async () => recorded.reports,
    getNews: async () => recorded.news,
    ...overrides.dashboard,
  },
  readAlerts: async () => ({
    alerts: [
      {
        id: '00000000-0000-4000-8000-000000000001',
        symbol: 'AAPL',
        name: 'Apple Inc.',
        currency: 'USD',
        price_unit: 'currency',
        kind: 'above',
        threshold: 300,
        repeats: 'once',
        note: 'Sell half',
        created_at: NOW,
      },
    ],
    fired: [],
  }),
  getMarketSession: async () => recorded.session,
  now: () => NOW,
});

export const sampleMember = { idpId: 'user_ada', sessionId: 'sess_1', isSampleUser: false };
