import { type QueryClient, queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { callApi } from '../api/api.ts';
import type { RouteResponse } from '../api/api-routes.ts';
import { investmentsQueryKey } from '../api/investment-query.ts';
import type { ExplainedFigure, HoldingFigure } from './explained-figure.ts';

type NetWorth = RouteResponse<'GET /api/net-worth'>;
type Explanation = NonNullable<NetWorth['explain']>;

export interface FigureExplanation extends Explanation {
  /** The figure that the terms add up to. Null for a weight, and for a figure without a value. */
  total: { amount: number; currency: string | null } | null;
  /** What the figure's percentage refers to. Null without a percentage. */
  note: string | null;
}

const query = { explain: '1' } as const;

/** Requests of explained figures. Each has the name of the query with which pages read the same figures. */
const requests = {
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
  // The history is not needed.
  'net-worth': async (signal: AbortSignal) => ({
    from: 'net-worth' as const,
    ...(await callApi('GET /api/net-worth', { query: { ...query, days: 1 }, signal })),
  }),
};
type RequestName = keyof typeof requests;
type Explained = Awaited<ReturnType<(typeof requests)[RequestName]>>;

const requestByTarget: Readonly<Record<ExplainedFigure['of'], RequestName>> = {
  position: 'positions',
  totals: 'positions',
  weight: 'positions',
  holding: 'holdings',
  account: 'accounts',
  cash: 'accounts',
  'net-worth': 'net-worth',
  currency: 'net-worth',
};

const createExplanationQuery = (name: RequestName) =>
  queryOptions({
    queryKey: [...investmentsQueryKey, 'explain', name],
    queryFn: async ({ client, signal }: { client: QueryClient; signal: AbortSignal }): Promise<Explained> => {
      const explained = await requests[name](signal);
      // The explanation has the newest prices, so the page reads its figures again.
      void client.invalidateQueries({ queryKey: [...investmentsQueryKey, name] });
      return explained;
    },
  });

/** Returns how a figure came about, with the newest prices. */
export const useExplanation = (figure: ExplainedFigure): UseQueryResult<FigureExplanation> =>
  useQuery({
    ...createExplanationQuery(requestByTarget[figure.of]),
    select: (explained: Explained) => selectExplanation(explained, figure) ?? unknownFigure,
  });

/** The figure no longer exists, since another tab or device has removed it. */
const unknownFigure: FigureExplanation = { terms: [], excluded: [], total: null, note: null };

function selectExplanation(explained: Explained, figure: ExplainedFigure): FigureExplanation | undefined {
  switch (explained.from) {
    case 'positions':
      return selectOfPositions(explained, figure);
    case 'holdings':
      return selectOfHoldings(explained, figure);
    case 'accounts':
      return selectOfAccounts(explained, figure);
    case 'net-worth':
      return selectOfNetWorth(explained, figure);
  }
}

/** Returns the explanation of a holding. One that the catalog does not list has only that of its value. */
function selectOfHoldings(
  { holdings, unlisted = [] }: Extract<Explained, { from: 'holdings' }>,
  figure: ExplainedFigure,
): FigureExplanation | undefined {
  if (figure.of !== 'holding') return undefined;
  const listed = holdings.find(({ id }) => id === figure.id);
  if (listed) return selectFigure(listed, figure.figure);
  const other = unlisted.find(({ id }) => id === figure.id);
  return other && figure.figure === 'value' ? withTotal(other.explain, other.value, other.currency) : undefined;
}

function selectOfPositions(
  { positions, totals }: Extract<Explained, { from: 'positions' }>,
  figure: ExplainedFigure,
): FigureExplanation | undefined {
  switch (figure.of) {
    case 'position': {
      const position = positions.find(({ symbol }) => symbol === figure.symbol);
      return position && selectFigure(position, figure.figure);
    }
    case 'totals': {
      const total = totals.find(({ currency }) => currency === figure.currency);
      return total && selectFigure(total, figure.figure);
    }
    case 'weight': {
      const position = positions.find(({ symbol }) => symbol === figure.symbol);
      const total = totals.find(({ currency }) => currency === position?.currency);
      return position && total && explainWeight(position, total);
    }
    default:
      return undefined;
  }
}

function selectOfAccounts(
  { accounts }: Extract<Explained, { from: 'accounts' }>,
  figure: ExplainedFigure,
): FigureExplanation | undefined {
  if (figure.of !== 'account' && figure.of !== 'cash') return undefined;
  const account = accounts.find(({ id }) => id === figure.id);
  if (!account) return undefined;
  if (figure.of === 'cash') return withTotal(account.explain, account.balance, account.currency);
  const total = account.totals?.find(({ currency }) => currency === figure.currency);
  return total && selectFigure(total, figure.figure);
}

function selectOfNetWorth(
  { base, currencies, explain }: Extract<Explained, { from: 'net-worth' }>,
  figure: ExplainedFigure,
): FigureExplanation | undefined {
  if (figure.of === 'currency') {
    const entry = currencies.find(({ currency }) => currency === figure.currency);
    return entry && withTotal(entry.explain, entry.total, entry.currency);
  }
  if (figure.of !== 'net-worth' || !explain) return undefined;
  const { part } = figure;
  if (part === 'total') return withTotal(explain, base.total, base.currency);
  // Cash has no quantity.
  const terms = explain.terms.filter(({ quantity }) => (quantity === null) === (part === 'cash'));
  return withTotal({ ...explain, terms }, base[part], base.currency);
}

interface Figures {
  currency: string | null;
  value: number | null;
  change_amount: number | null;
  gain: { amount: number } | null;
  explain?: Explanation | undefined;
  explain_change?: Explanation | undefined;
  explain_gain?: Explanation | undefined;
}

function selectFigure(figures: Figures, figure: HoldingFigure): FigureExplanation | undefined {
  const { currency } = figures;
  switch (figure) {
    case 'value':
      return withTotal(figures.explain, figures.value, currency);
    case 'change':
      return withTotal(
        figures.explain_change,
        figures.change_amount,
        currency,
        'The percentage is of the value at the previous close.',
      );
    case 'gain':
      return withTotal(figures.explain_gain, figures.gain?.amount ?? null, currency, 'The percentage is of the cost.');
  }
}

function withTotal(
  explanation: Explanation | undefined,
  amount: number | null,
  currency: string | null,
  note: string | null = null,
): FigureExplanation | undefined {
  if (!explanation) return undefined;
  const isKnown = amount !== null;
  return { ...explanation, total: isKnown ? { amount, currency } : null, note: isKnown ? note : null };
}

/** Explains a weight by the two amounts whose ratio it is. */
function explainWeight(position: Figures & { symbol: string }, total: Figures): FigureExplanation {
  const { currency, value } = position;
  const ofPosition = { label: `Value of ${position.symbol}`, amount: value };
  const ofTotal = { label: `Value of all holdings in ${currency}`, amount: total.value };
  return {
    terms: [ofPosition, ofTotal].flatMap(({ label, amount }) =>
      amount === null
        ? []
        : [
            {
              label,
              amount,
              currency,
              quantity: null,
              price: null,
              price_at: null,
              source: null,
              rate: null,
              rate_date: null,
            },
          ],
    ),
    excluded: total.explain?.excluded ?? [],
    total: null,
    note: 'The weight is the first amount as a percentage of the second.',
  };
}
