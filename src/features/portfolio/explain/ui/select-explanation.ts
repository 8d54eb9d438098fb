import { getShownDecimals } from '../../../../ui/kit/formats.ts';
import { addExactly, roundParts, roundToSum } from '../../../../ui/kit/round-parts.ts';
import type { RouteResponse } from '../../../../ui/shell/api/api-routes.ts';
import { roundChange } from '../../../../ui/kit/round-change.ts';
import type { ChangePart, ExplainedFigure, HoldingFigure } from './explained-figure.ts';
import type { ExplainedResponse } from './explanation-requests.ts';

type NetWorth = RouteResponse<'GET /api/net-worth'>;
type Explanation = NonNullable<NetWorth['explain']>;
type Term = Explanation['terms'][number];

export interface FigureExplanation extends Explanation {
  /** The figure that the terms add up to. Null for a weight, and for a figure without a value. */
  total: { amount: number; currency: string | null } | null;
  /** What the figure's percentage refers to. Null without a percentage. */
  note: string | null;
  /** Whether the amounts are changes, which have a sign. */
  isChange: boolean;
  /** Amounts below the gain of net worth: what was added or withdrawn, and the whole change. Else none. */
  beyondGain: readonly { label: string; amount: number }[];
}

const emptyExplanation: FigureExplanation = {
  terms: [],
  excluded: [],
  total: null,
  note: null,
  isChange: false,
  beyondGain: [],
};

/**
 * Returns how a figure came about, from the response of the request that `getRequestName` names. A figure that another
 * tab or device has removed has an empty explanation.
 */
export const selectExplanation = (response: ExplainedResponse, figure: ExplainedFigure): FigureExplanation =>
  roundExplanation(findExplanation(response, figure) ?? emptyExplanation, figure.shown ?? undefined);

/**
 * Rounds the figure as it is on screen, and its terms so that they add up to it. Leaves out terms that are zero in its
 * decimals.
 */
function roundExplanation(explanation: FigureExplanation, shown: number | undefined): FigureExplanation {
  const { terms, total } = explanation;
  if (total === null) return explanation;
  const currency = total.currency ?? '';
  const decimals = getShownDecimals(total.amount, currency);
  // A newer price than that on screen gives another amount.
  const isOnScreen = shown !== undefined && Math.abs(shown - total.amount) < 10 ** -decimals;
  const amount = isOnScreen ? shown : roundToSum([total.amount], total.amount, { decimals })[0]!;
  const shownTerms = roundTerms(terms, amount, currency).filter((term) => !roundsToZero(term.amount, amount, currency));
  return { ...explanation, total: { ...total, amount }, terms: shownTerms };
}

function findExplanation(response: ExplainedResponse, figure: ExplainedFigure): FigureExplanation | undefined {
  switch (response.from) {
    case 'positions':
      return explainPosition(response, figure);
    case 'holdings':
      return explainHolding(response, figure);
    case 'accounts':
      return explainAccount(response, figure);
    case 'portfolio-holdings':
      return explainSelection(response, figure);
    case 'net-worth':
      return explainNetWorth(response, figure);
    case 'dividends':
      return explainDividends(response, figure);
  }
}

function explainHolding(
  { holdings, unlisted = [] }: Extract<ExplainedResponse, { from: 'holdings' }>,
  figure: ExplainedFigure,
): FigureExplanation | undefined {
  if (figure.of !== 'holding') return undefined;
  const listed = holdings.find(({ id }) => id === figure.id);
  if (listed) return getHoldingFigure(listed, figure.figure);
  const other = unlisted.find(({ id }) => id === figure.id);
  return other && getHoldingFigure({ ...other, change_amount: null }, figure.figure);
}

function explainPosition(
  { positions, totals }: Extract<ExplainedResponse, { from: 'positions' }>,
  figure: ExplainedFigure,
): FigureExplanation | undefined {
  switch (figure.of) {
    case 'position': {
      const position = positions.find(({ symbol }) => symbol === figure.symbol);
      return position && getHoldingFigure(position, figure.figure);
    }
    case 'position-part': {
      const position = positions.find(({ symbol }) => symbol === figure.symbol);
      const part = position?.accounts.find(({ account_id: id }) => id === figure.accountId);
      return part && getHoldingFigure(part, figure.figure);
    }
    case 'totals': {
      const total = totals.find(({ currency }) => currency === figure.currency);
      return total && getHoldingFigure(total, figure.figure);
    }
    default:
      return undefined;
  }
}

function explainAccount(
  { accounts, currency: baseCurrency }: Extract<ExplainedResponse, { from: 'accounts' }>,
  figure: ExplainedFigure,
): FigureExplanation | undefined {
  if (figure.of !== 'account' && figure.of !== 'cash' && figure.of !== 'account-value') return undefined;
  const account = accounts.find(({ id }) => id === figure.id);
  if (!account) return undefined;
  if (figure.of === 'cash') return withTotal(account.explain, account.balance, account.currency);
  if (figure.of === 'account-value') return account.explain_base && addUpTerms(account.explain_base, baseCurrency);
  const total = account.totals?.find(({ currency }) => currency === figure.currency);
  return total && getHoldingFigure(total, figure.figure);
}

/** Explains the sum of any holdings in the base currency, or its share in the sum of all. */
function explainSelection(
  { currency, holdings }: Extract<ExplainedResponse, { from: 'portfolio-holdings' }>,
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
  return { ...sum, note: sum.total && figureNotes[figure.figure], isChange: figure.figure !== 'value' };
}

const explainDividends = (
  response: Extract<ExplainedResponse, { from: 'dividends' }>,
  figure: ExplainedFigure,
): FigureExplanation | undefined =>
  figure.of === 'dividends'
    ? withTotal(
        response[`explain_${figure.period}`],
        response[`income_${figure.period}`],
        response.currency,
        'Before taxes. Expected payments are estimates.',
      )
    : undefined;

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

function explainNetWorth(
  { base, currencies, explain }: Extract<ExplainedResponse, { from: 'net-worth' }>,
  figure: ExplainedFigure,
): FigureExplanation | undefined {
  if (figure.of === 'currency') {
    const entry = currencies.find(({ currency }) => currency === figure.currency);
    return entry && withTotal(entry.explain, entry.total, entry.currency);
  }
  if (figure.of === 'net-worth-change') {
    const change = base.changes.find(({ period }) => period === figure.period);
    return change && explainChange(change, figure.part, base.currency);
  }
  if (figure.of !== 'net-worth' || !explain) return undefined;
  const { part } = figure;
  if (part === 'total') return withTotal(explain, base.total, base.currency);
  const terms = explain.terms.filter((term) => getNetWorthPart(term) === part);
  return withTotal({ ...explain, terms }, base[part], base.currency);
}

/** A balance has no quantity. A negative one is a liability. */
function getNetWorthPart({ quantity, amount }: Term): 'cash' | 'liabilities' | 'investments' {
  if (quantity !== null) return 'investments';
  return amount < 0 ? 'liabilities' : 'cash';
}

type NetWorthChange = NetWorth['base']['changes'][number];

/**
 * Explains a change or one of its parts. Market and exchange rates are rounded as on screen, where they add up to the
 * gain. The first term of a day's market is the day change of holdings, which other screens show too.
 */
function explainChange(change: NetWorthChange, part: ChangePart, currency: string): FigureExplanation | undefined {
  const { explain_market: market, explain_exchange_rates: exchangeRates, explain_flows: flows } = change;
  if (!market || !exchangeRates || !flows) return undefined;
  const [marketAmount, rateAmount] = roundChange(change, currency);
  const marketTerms = roundTerms(market.terms, marketAmount, currency, change.period === '1d');
  const rateTerms = roundTerms(exchangeRates.terms, rateAmount, currency);
  const partTerms = {
    market: marketTerms,
    exchange_rates: rateTerms,
    flows: flows.terms,
    gain: [...marketTerms, ...rateTerms],
  };
  const note =
    part === 'gain' && change.percent !== null
      ? 'The percentage is time-weighted: added or withdrawn amounts do not change it.'
      : null;
  return {
    ...emptyExplanation,
    terms: partTerms[part],
    excluded: market.excluded,
    total: { amount: change[part], currency },
    note,
    isChange: true,
    beyondGain: part === 'gain' ? listBeyondGain(change, currency) : [],
  };
}

/** Returns the two amounts that lead from the gain to the whole change of net worth. */
function listBeyondGain({ amount, gain, flows }: NetWorthChange, currency: string): FigureExplanation['beyondGain'] {
  const [, shownFlows] = roundParts([gain, flows], amount, currency, { keepsFirst: true });
  if (roundsToZero(shownFlows!, amount, currency)) return [];
  return [
    { label: 'Added or withdrawn', amount: shownFlows! },
    { label: 'Change of net worth', amount },
  ];
}

function roundTerms(terms: readonly Term[], total: number, currency: string, keepsFirst = false): Term[] {
  const amounts = roundParts(
    terms.map(({ amount }) => amount),
    total,
    currency,
    { keepsFirst },
  );
  return terms.map((term, index) => ({ ...term, amount: amounts[index]! }));
}

/** Returns whether an amount is zero in the decimals with which its total is shown. */
const roundsToZero = (amount: number, total: number, currency: string): boolean =>
  Math.abs(amount) < 0.5 * 10 ** -getShownDecimals(total, currency);

/** Adds up terms exactly. Without any, the figure is unknown. */
function addUpTerms(explanation: Explanation, currency: string): FigureExplanation {
  const amount = addExactly(explanation.terms.map((term) => term.amount));
  return { ...emptyExplanation, ...explanation, total: explanation.terms.length === 0 ? null : { amount, currency } };
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

/** What the percentage next to a figure refers to. */
const figureNotes: Readonly<Record<HoldingFigure, string | null>> = {
  value: null,
  change: 'The percentage is of the value at the previous close.',
  gain: 'The percentage is of the cost.',
};

function getHoldingFigure(figures: Figures, figure: HoldingFigure): FigureExplanation | undefined {
  const { currency } = figures;
  switch (figure) {
    case 'value':
      return withTotal(figures.explain, figures.value, currency);
    case 'change':
      return asChange(withTotal(figures.explain_change, figures.change_amount, currency, figureNotes.change));
    case 'gain':
      return asChange(withTotal(figures.explain_gain, figures.gain?.amount ?? null, currency, figureNotes.gain));
  }
}

const asChange = (explanation: FigureExplanation | undefined): FigureExplanation | undefined =>
  explanation && { ...explanation, isChange: true };

function withTotal(
  explanation: Explanation | undefined,
  amount: number | null,
  currency: string | null,
  note: string | null = null,
): FigureExplanation | undefined {
  if (!explanation) return undefined;
  const isKnown = amount !== null;
  return {
    ...emptyExplanation,
    ...explanation,
    total: isKnown ? { amount, currency } : null,
    note: isKnown ? note : null,
  };
}

/** Explains a weight by the two amounts whose ratio it is. */
function explainShare(
  part: { label: string; amount: number | null },
  whole: { label: string; amount: number | null },
  currency: string | null,
  excluded: Explanation['excluded'],
): FigureExplanation {
  return {
    ...emptyExplanation,
    terms: [part, whole].flatMap(({ label, amount }) =>
      amount === null ? [] : [{ ...emptyTerm, label, amount, currency, price_currency: currency }],
    ),
    excluded,
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
