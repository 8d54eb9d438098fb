import { callApi } from '../../../../ui/shell/api/api.ts';
import type { ExplainedFigure } from './explained-figure.ts';

const query = { explain: '1' } as const;

/** Requests of figures with their explanations. `from` names the figures in the query cache too. */
export const explanationRequests = {
  positions: async (signal: AbortSignal) => ({
    from: 'positions' as const,
    ...(await callApi('GET /api/investments/positions', { query, signal })),
  }),
  holdings: async (signal: AbortSignal) => ({
    from: 'holdings' as const,
    ...(await callApi('GET /api/investments/holdings', { query, signal })),
  }),
  accounts: async (signal: AbortSignal) => ({
    from: 'accounts' as const,
    ...(await callApi('GET /api/accounts', { query, signal })),
  }),
  'portfolio-holdings': async (signal: AbortSignal) => ({
    from: 'portfolio-holdings' as const,
    ...(await callApi('GET /api/portfolio/holdings', { query, signal })),
  }),
  dividends: async (signal: AbortSignal) => ({
    from: 'dividends' as const,
    ...(await callApi('GET /api/dividends', { query, signal })),
  }),
  // Days of the history, of which net worth itself needs none.
  'net-worth': (signal: AbortSignal) => readNetWorth(1, signal),
  'net-worth-year': (signal: AbortSignal) => readNetWorth(366, signal),
  'net-worth-all': (signal: AbortSignal) => readNetWorth(1830, signal),
};
const readNetWorth = async (days: number, signal: AbortSignal) => ({
  from: 'net-worth' as const,
  ...(await callApi('GET /api/net-worth', { query: { ...query, days }, signal })),
});
export type RequestName = keyof typeof explanationRequests;
export type ExplainedResponse = Awaited<ReturnType<(typeof explanationRequests)[RequestName]>>;

const requestByTarget: Readonly<Record<ExplainedFigure['of'], RequestName>> = {
  'position-part': 'positions',
  'account-value': 'accounts',
  selection: 'portfolio-holdings',
  share: 'portfolio-holdings',
  'net-worth-change': 'net-worth-year',
  position: 'positions',
  totals: 'positions',
  holding: 'holdings',
  account: 'accounts',
  cash: 'accounts',
  'net-worth': 'net-worth',
  currency: 'net-worth',
  dividends: 'dividends',
};

/** Returns the request that explains a figure. The period `all` begins with the first day of the longest history. */
export const getRequestName = (figure: ExplainedFigure): RequestName =>
  figure.of === 'net-worth-change' && figure.period === 'all' ? 'net-worth-all' : requestByTarget[figure.of];
