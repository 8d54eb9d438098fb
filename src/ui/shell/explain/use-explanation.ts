import { type QueryClient, queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { callApi } from '../api/api.ts';
import type { RouteResponse } from '../api/api-routes.ts';
import { investmentsQueryKey } from '../api/investment-query.ts';
import type { ChangePart, ExplainedFigure, HoldingFigure } from './explained-figure.ts';

type NetWorth = RouteResponse<'GET /api/net-worth'>;
type Explanation = NonNullable<NetWorth['explain']>;

export interface FigureExplanation extends Explanation {
  /** The figure that the terms add up to. Null for a weight, and for a figure without a value. */
  total: { amount: number; currency: string | null } | null;
  /** What the figure's percentage refers to. Null without a percentage. */
  note: string | null;
}

const query = { explain: '1' } as const;

/** Requests of explained figures. */
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
  'portfolio-holdings': async (signal: AbortSignal) => ({
    from: 'portfolio-holdings' as const,
    ...(await callApi('GET /api/portfolio/holdings', { query, signal })),
  }),
  // The history is not needed.
  'net-worth': (signal: AbortSignal) => readNetWorth(1, signal),
  'net-worth-year': (signal: AbortSignal) => readNetWorth(366, signal),
  'net-worth-whole': (signal: AbortSignal) => readNetWorth(1830, signal),
};
const readNetWorth = async (days: number, signal: AbortSignal) => ({
  from: 'net-worth' as const,
  ...(await callApi('GET /api/net-worth', { query: { ...query, days }, signal })),
});
type RequestName = keyof typeof requests;
type Explained = Awaited<ReturnType<(typeof requests)[RequestName]>>;

const requestByTarget: Readonly<Record<ExplainedFigure['of'], RequestName>> = {
  'position-part': 'positions',
  'account-value': 'accounts',
  selection: 'portfolio-holdings',
  share: 'portfolio-holdings',
  'net-worth-change': 'net-worth-year',
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
      void client.invalidateQueries({ queryKey: [...investmentsQueryKey, explained.from] });
      return explained;
    },
  });

/** The longest period begins with the first day of the longest history. */
const getRequestName = (figure: ExplainedFigure): RequestName =>
  figure.of === 'net-worth-change' && figure.period === 'all' ? 'net-worth-whole' : requestByTarget[figure.of];

/** Returns how a figure came about, with the newest prices. */
export const useExplanation = (figure: ExplainedFigure): UseQueryResult<FigureExplanation> =>
  useQuery({
    ...createExplanationQuery(getRequestName(figure)),
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
    case 'portfolio-holdings':
      return selectOfPortfolio(explained, figure);
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
    case 'position-part': {
      const position = positions.find(({ symbol }) => symbol === figure.symbol);
      const part = position?.accounts.find(({ account_id: id }) => id === figure.accountId);
      return part && selectFigure(part, figure.figure);
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
  { accounts, currency: baseCurrency }: Extract<Explained, { from: 'accounts' }>,
  figure: ExplainedFigure,
): FigureExplanation | undefined {
  if (figure.of !== 'account' && figure.of !== 'cash' && figure.of !== 'account-value') return undefined;
  const account = accounts.find(({ id }) => id === figure.id);
  if (!account) return undefined;
  if (figure.of === 'cash') return withTotal(account.explain, account.balance, account.currency);
  if (figure.of === 'account-value') return account.explain_base && addUpTerms(account.explain_base, baseCurrency);
  const total = account.totals?.find(({ currency }) => currency === figure.currency);
  return total && selectFigure(total, figure.figure);
}

/** Explains the sum of any holdings in the base currency, or its share in the sum of all. */
function selectOfPortfolio(
  { currency, holdings }: Extract<Explained, { from: 'portfolio-holdings' }>,
  figure: ExplainedFigure,
): FigureExplanation | undefined {
  if (figure.of !== 'selection' && figure.of !== 'share') return undefined;
  const ids = new Set(figure.ids);
  const selected = holdings.filter(({ id }) => ids.has(id));
  if (figure.of === 'share') {
    const whole = sumHoldings(holdings, 'value', currency);
    return explainShare(
      { label: `Value of ${figure.name}`, amount: sumHoldings(selected, 'value', currency).total?.amount ?? null },
      { label: 'Value of all holdings', amount: whole.total?.amount ?? null },
      currency,
      whole.excluded,
    );
  }
  const sum = sumHoldings(selected, figure.figure, currency);
  return { ...sum, note: sum.total && figureNotes[figure.figure] };
}

type PortfolioHolding = RouteResponse<'GET /api/portfolio/holdings'>['holdings'][number];

const explanationKeys = { value: 'explain', change: 'explain_change', gain: 'explain_gain' } as const;

function sumHoldings(
  holdings: readonly PortfolioHolding[],
  figure: HoldingFigure,
  currency: string,
): FigureExplanation {
  const explanations = holdings.flatMap((holding) => holding[explanationKeys[figure]] ?? []);
  return addUpTerms(
    {
      terms: explanations.flatMap(({ terms }) => terms),
      excluded: explanations.flatMap(({ excluded }) => excluded),
    },
    currency,
  );
}

function selectOfNetWorth(
  { base, currencies, explain }: Extract<Explained, { from: 'net-worth' }>,
  figure: ExplainedFigure,
): FigureExplanation | undefined {
  if (figure.of === 'currency') {
    const entry = currencies.find(({ currency }) => currency === figure.currency);
    return entry && withTotal(entry.explain, entry.total, entry.currency);
  }
  if (figure.of === 'net-worth-change') {
    const change = base.changes.find(({ period }) => period === figure.period);
    return change && selectChange(change, figure.part, base.currency);
  }
  if (figure.of !== 'net-worth' || !explain) return undefined;
  const { part } = figure;
  if (part === 'total') return withTotal(explain, base.total, base.currency);
  const terms = explain.terms.filter((term) => getNetWorthPart(term) === part);
  return withTotal({ ...explain, terms }, base[part], base.currency);
}

/** A balance has no quantity. A negative one is a liability. */
function getNetWorthPart({ quantity, amount }: Explanation['terms'][number]): 'cash' | 'liabilities' | 'investments' {
  if (quantity !== null) return 'investments';
  return amount < 0 ? 'liabilities' : 'cash';
}

type NetWorthChange = NetWorth['base']['changes'][number];

function selectChange(change: NetWorthChange, part: ChangePart, currency: string): FigureExplanation | undefined {
  if (part !== 'gain') return withTotal(change[`explain_${part}`], change[part], currency);
  const { explain_market: market, explain_exchange_rates: exchangeRates } = change;
  if (!market || !exchangeRates) return undefined;
  return withTotal(
    { terms: [...market.terms, ...exchangeRates.terms], excluded: market.excluded },
    change.gain,
    currency,
    change.percent === null ? null : 'The percentage is time-weighted: added or withdrawn amounts do not change it.',
  );
}

const DECIMALS = 8;
const SHOWN_DECIMALS = 4;

/**
 * Adds up terms of at most eight decimals and rounds them to the four that are shown. Each rounded term is the
 * difference of two rounded running totals, so that the terms add up to the total.
 */
function addUpTerms({ terms, excluded }: Explanation, currency: string): FigureExplanation {
  let total = 0n;
  let roundedTotal = 0n;
  const roundedTerms = terms.map((term) => {
    total += BigInt(term.amount.toFixed(DECIMALS).replace('.', ''));
    const nextTotal = roundToShown(total);
    const amount = toAmount(nextTotal - roundedTotal);
    roundedTotal = nextTotal;
    return { ...term, amount };
  });
  return {
    terms: roundedTerms,
    excluded,
    total: terms.length === 0 ? null : { amount: toAmount(roundedTotal), currency },
    note: null,
  };
}

/** Rounds units of the eighth decimal to units of the fourth, halves away from zero. */
function roundToShown(units: bigint): bigint {
  const divisor = 10n ** BigInt(DECIMALS - SHOWN_DECIMALS);
  return (2n * units + (units < 0n ? -divisor : divisor)) / (2n * divisor);
}

const toAmount = (units: bigint): number => Number(`${units}e-${SHOWN_DECIMALS}`);

interface Figures {
  currency: string | null;
  value: number | null;
  change_amount: number | null;
  gain: { amount: number } | null;
  explain?: Explanation | undefined;
  explain_change?: Explanation | undefined;
  explain_gain?: Explanation | undefined;
}

/** What the percentage next to a figure refers to. */
const figureNotes: Readonly<Record<HoldingFigure, string | null>> = {
  value: null,
  change: 'The percentage is of the value at the previous close.',
  gain: 'The percentage is of the cost.',
};

function selectFigure(figures: Figures, figure: HoldingFigure): FigureExplanation | undefined {
  const { currency } = figures;
  switch (figure) {
    case 'value':
      return withTotal(figures.explain, figures.value, currency);
    case 'change':
      return withTotal(figures.explain_change, figures.change_amount, currency, figureNotes.change);
    case 'gain':
      return withTotal(figures.explain_gain, figures.gain?.amount ?? null, currency, figureNotes.gain);
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

/** Explains the weight of a position in its currency. */
const explainWeight = (position: Figures & { symbol: string }, total: Figures): FigureExplanation =>
  explainShare(
    { label: `Value of ${position.symbol}`, amount: position.value },
    { label: `Value of all holdings in ${position.currency}`, amount: total.value },
    position.currency,
    total.explain?.excluded ?? [],
  );

/** Explains a weight by the two amounts whose ratio it is. */
function explainShare(
  part: { label: string; amount: number | null },
  whole: { label: string; amount: number | null },
  currency: string | null,
  excluded: Explanation['excluded'],
): FigureExplanation {
  return {
    terms: [part, whole].flatMap(({ label, amount }) =>
      amount === null ? [] : [{ ...emptyTerm, label, amount, currency, price_currency: currency }],
    ),
    excluded,
    total: null,
    note: 'The weight is the first amount as a percentage of the second.',
  };
}

const emptyTerm = {
  quantity: null,
  price: null,
  price_unit: null,
  price_at: null,
  source: null,
  rate: null,
  rate_date: null,
};
