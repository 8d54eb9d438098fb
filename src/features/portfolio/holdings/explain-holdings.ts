import type { Explanation } from '../net-worth/contract.ts';
import type { HoldingTotals, PortfolioHolding } from './contract.ts';
import {
  createPrice,
  createTerm,
  type Excluded,
  formatHoldingLabel,
  type Term,
} from '../net-worth/explanation-terms.ts';
import { calculateChangeAmount, calculateGain, type HoldingAmounts, toDecimalText } from './holding-figures.ts';
import { negate, sumAmounts } from '../net-worth/amounts.ts';
import type { AnyHoldingRow, PositionPartRow } from './queries.ts';

/** One holding, or the holdings of a symbol in one account. */
type ExplainedRow = Pick<
  PositionPartRow | AnyHoldingRow,
  | 'account_name'
  | 'account_kind'
  | 'symbol'
  | 'name'
  | 'asset_type'
  | 'currency'
  | 'price'
  | 'price_at'
  | 'price_source'
  | 'price_change'
  | 'quantity'
  | 'as_of'
> &
  HoldingAmounts;

/** Explanations of value, day change and gain. */
type HoldingExplanations = Record<'explain' | 'explain_change' | 'explain_gain', Explanation>;

/** One of the three figures of a position, which is given as its holdings. */
interface ExplainedFigure {
  /** Returns whether the position counts in a total. */
  isKnown: (holdings: readonly HoldingAmounts[]) => boolean;
  toTerms: (holding: ExplainedRow) => Term[];
  missingReason: Excluded['reason'];
}

const valueFigure: ExplainedFigure = {
  isKnown: (holdings) => holdings.every(({ value }) => value !== null),
  toTerms: (holding) => [toValueTerm(holding)],
  missingReason: 'no_price',
};
const changeFigure: ExplainedFigure = {
  isKnown: (holdings) => calculateChangeAmount(holdings) !== null,
  toTerms: (holding) => [toChangeTerm(holding)],
  missingReason: 'no_change',
};
const gainFigure: ExplainedFigure = {
  isKnown: (holdings) => calculateGain(holdings) !== null,
  toTerms: (holding) => [toValueTerm(holding), toCostTerm(holding)],
  missingReason: 'no_cost',
};

/** Explains value, day change and gain of one holding. */
export const explainHolding = (row: ExplainedRow): HoldingExplanations =>
  explainFigures((figure) => explainSum([[row]], figure));

/** Explains the figures of a position by its parts. A figure that is unknown for one part has no terms. */
export const explainPosition = (parts: readonly PositionPartRow[]): HoldingExplanations =>
  explainFigures((figure) => {
    const { terms, excluded } = explainSum(
      parts.map((part) => [part]),
      figure,
    );
    return { terms: figure.isKnown(parts) ? terms : [], excluded };
  });

/** Adds to the total of each currency how it came about. A total omits the positions without its figure. */
export const explainTotals = (
  totals: readonly HoldingTotals[],
  positions: readonly (readonly ExplainedRow[])[],
): HoldingTotals[] =>
  totals.map((total) => {
    const counted = positions.filter(([part]) => part?.currency === total.currency);
    return { ...total, ...explainFigures((figure) => explainSum(counted, figure)) };
  });

/** Amounts of a holding in the base currency, and how they were converted. */
export interface ConvertedHolding {
  currency: string;
  /** Null without a value or a rate. */
  amounts: NonNullable<PortfolioHolding['base']> | null;
  /** Null without conversion. */
  rate: Pick<Term, 'rate' | 'rate_date'> | null;
}

/** Explains the figures of a holding in the base currency. Without a rate it is excluded from each. */
export function explainConvertedHolding(
  row: AnyHoldingRow,
  { amounts, currency, rate }: ConvertedHolding,
): HoldingExplanations {
  if (row.value === null) return explainHolding(row);
  if (amounts === null) {
    const excluded = [{ ...excludePosition([row], 'no_price'), reason: 'no_rate' as const }];
    return explainFigures(() => ({ terms: [], excluded }));
  }
  const inBase = {
    ...row,
    currency,
    value: toDecimalText(amounts.value),
    cost_basis: toDecimalText(amounts.cost_basis),
    change_amount: toDecimalText(amounts.change_amount),
  };
  return explainFigures((figure) => {
    const { terms, excluded } = explainSum([[inBase]], figure);
    // The terms name the currency before the conversion, and its rate.
    return { terms: terms.map((term) => ({ ...term, ...rate, price_currency: row.currency })), excluded };
  });
}

const explainFigures = (explain: (figure: ExplainedFigure) => Explanation): HoldingExplanations => ({
  explain: explain(valueFigure),
  explain_change: explain(changeFigure),
  explain_gain: explain(gainFigure),
});

/** Explains a sum over positions. A position without the figure is excluded. */
function explainSum(positions: readonly (readonly ExplainedRow[])[], figure: ExplainedFigure): Explanation {
  return {
    terms: positions.filter(figure.isKnown).flat().flatMap(figure.toTerms),
    excluded: positions
      .filter((holdings) => !figure.isKnown(holdings))
      .map((holdings) => excludePosition(holdings, figure.missingReason)),
  };
}

/** Without a price of the catalog, the value is the institution's. */
function toValueTerm(row: ExplainedRow): Term {
  const [at, source] = row.price === null ? [row.as_of, row.account_kind] : [row.price_at, row.price_source];
  return createTerm({
    label: formatRowLabel(row),
    quantity: Number(row.quantity),
    ...createPrice(row.price, row.asset_type),
    price_at: at?.toISOString() ?? null,
    source,
    amount: Number(row.value),
    currency: row.currency,
  });
}

const toChangeTerm = (row: ExplainedRow): Term =>
  createTerm({
    label: `Price change of ${formatRowLabel(row)}`,
    quantity: Number(row.quantity),
    ...createPrice(row.price_change, row.asset_type),
    price_at: row.price_at?.toISOString() ?? null,
    source: row.price_source,
    amount: Number(row.change_amount),
    currency: row.currency,
  });

const toCostTerm = (row: ExplainedRow): Term =>
  createTerm({
    label: `Cost of ${formatRowLabel(row)}`,
    source: row.account_kind,
    amount: Number(negate(row.cost_basis)),
    currency: row.currency,
  });

const getName = ({ symbol, name }: ExplainedRow): string => symbol ?? name!;
const formatRowLabel = (row: ExplainedRow): string => formatHoldingLabel(getName(row), row.account_name);

/** Names the account of a single holding. Several holdings are a whole position. */
function excludePosition(holdings: readonly ExplainedRow[], missingReason: Excluded['reason']): Excluded {
  const [first, ...others] = holdings as [ExplainedRow];
  const hasPrice = valueFigure.isKnown(holdings);
  return {
    what: others.length === 0 ? formatRowLabel(first) : getName(first),
    amount: sumAmounts(holdings.map(({ value }) => value)),
    currency: first.currency,
    reason: hasPrice ? missingReason : 'no_price',
  };
}
