import type { AccountRow } from './account-queries.ts';
import type { Explanation, HoldingTotals, PortfolioHolding } from './contract.ts';
import {
  createPrice,
  createTerm,
  type Excluded,
  formatCashLabel,
  formatHoldingLabel,
  type Term,
} from './explanation-terms.ts';
import { calculateChangeAmount, calculateGain, type HoldingAmounts, negate, sumAmounts } from './holding-figures.ts';
import type { HoldingRow, PositionPartRow, UnlistedRow } from './queries.ts';

/** One holding, or the holdings of a symbol in one account. Only a single holding can have an institution's value. */
type ExplainedRow = PositionPartRow | HoldingRow;

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
export const explainHolding = (row: HoldingRow): HoldingExplanations =>
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

/**
 * Adds to the total of each currency how it came about. A total omits the positions without its figure. Of a holding that
 * the catalog does not list only the value is known.
 */
export function explainTotals(
  totals: readonly HoldingTotals[],
  positions: readonly (readonly PositionPartRow[])[],
  unlisted: readonly UnlistedRow[],
): HoldingTotals[] {
  return totals.map((total) => {
    const counted = positions.filter(([part]) => part?.currency === total.currency);
    const others = unlisted.filter(({ currency }) => currency === total.currency);
    const explanations = explainFigures((figure) => {
      const { terms, excluded } = explainSum(counted, figure);
      if (figure !== valueFigure)
        return { terms, excluded: [...excluded, ...others.map((row) => excludeUnlisted(row, figure.missingReason))] };
      const values = others.map(explainUnlistedHolding);
      return {
        terms: [...terms, ...values.flatMap((value) => value.terms)],
        excluded: [...excluded, ...values.flatMap((value) => value.excluded)],
      };
    });
    return { ...total, ...explanations };
  });
}

/** Explains the value of a holding that the catalog does not list. It is the institution's. */
export const explainUnlistedHolding = (row: UnlistedRow): Explanation =>
  row.value === null
    ? { terms: [], excluded: [excludeUnlisted(row, 'no_price')] }
    : {
        terms: [
          createTerm({
            label: formatHoldingLabel(row.name, row.account_name),
            quantity: Number(row.quantity),
            price_at: row.as_of.toISOString(),
            source: row.account_kind,
            amount: Number(row.value),
            currency: row.currency,
          }),
        ],
        excluded: [],
      };

/** Amounts of a holding in the base currency, and how they were converted. */
export interface ConvertedHolding {
  currency: string;
  /** Null without a value or a rate. */
  amounts: NonNullable<PortfolioHolding['base']> | null;
  /** Null without conversion. */
  rate: Pick<Term, 'rate' | 'rate_date'> | null;
}

/** Explains the figures of a holding in the base currency. Without a rate it is excluded from each. */
export function explainConvertedHolding(row: HoldingRow, converted: ConvertedHolding): HoldingExplanations {
  const { amounts, currency } = converted;
  if (row.value === null) return explainHolding(row);
  if (amounts === null) {
    const excluded = [{ ...excludePosition([row], 'no_price'), reason: 'no_rate' as const }];
    return explainFigures(() => ({ terms: [], excluded }));
  }
  const inBase = explainHolding({
    ...row,
    currency,
    value: toDecimalText(amounts.value),
    cost_basis: toDecimalText(amounts.cost_basis),
    change_amount: toDecimalText(amounts.change_amount),
  });
  return {
    explain: addConversion(inBase.explain, row.currency, converted),
    explain_change: addConversion(inBase.explain_change, row.currency, converted),
    explain_gain: addConversion(inBase.explain_gain, row.currency, converted),
  };
}

/** Explains the figures of a holding that the catalog does not list, in the base currency. Only its value is known. */
export function explainConvertedUnlisted(row: UnlistedRow, converted: ConvertedHolding): HoldingExplanations {
  const { amounts, currency } = converted;
  const exclude = (reason: Excluded['reason'], amount: Pick<Excluded, 'amount' | 'currency'>): Explanation => ({
    terms: [],
    excluded: [{ what: formatHoldingLabel(row.name, row.account_name), ...amount, reason }],
  });
  if (amounts === null) {
    const amount = row.value === null ? null : Number(row.value);
    const missing = exclude(amount === null ? 'no_price' : 'no_rate', { amount, currency: row.currency });
    return explainFigures(() => missing);
  }
  const value = toDecimalText(amounts.value);
  const amount = { amount: amounts.value, currency };
  return {
    explain: addConversion(explainUnlistedHolding({ ...row, currency, value }), row.currency, converted),
    explain_change: exclude('no_change', amount),
    explain_gain: exclude('no_cost', amount),
  };
}

/** Names the currency before a conversion, and its rate. */
const addConversion = (explanation: Explanation, currency: string | null, { rate }: ConvertedHolding): Explanation => ({
  ...explanation,
  terms: explanation.terms.map((term) => ({ ...term, ...rate, price_currency: currency })),
});

/** Converts an amount of at most eight decimals back to text. */
function toDecimalText(amount: number): string;
function toDecimalText(amount: number | null): string | null;
function toDecimalText(amount: number | null): string | null {
  return amount === null ? null : amount.toFixed(8);
}

/** Explains the cash of an account. */
export const explainBalance = ({ name, kind, currency, balance, updated_at: updatedAt }: AccountRow): Explanation => ({
  terms: [
    createTerm({
      label: formatCashLabel(name),
      price_at: updatedAt.toISOString(),
      source: kind,
      amount: Number(balance),
      currency,
    }),
  ],
  excluded: [],
});

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
  const institutionValue = { price_at: 'as_of' in row ? row.as_of : null, source: row.account_kind };
  const { price_at: at, source } = row.price === null ? institutionValue : { ...row, source: row.price_source };
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

const formatRowLabel = ({ symbol, account_name: account }: ExplainedRow): string => formatHoldingLabel(symbol, account);

/** Names the account of a single holding. Several holdings are a whole position. */
function excludePosition(holdings: readonly ExplainedRow[], missingReason: Excluded['reason']): Excluded {
  const [first, ...others] = holdings as [ExplainedRow];
  const hasPrice = valueFigure.isKnown(holdings);
  return {
    what: others.length === 0 ? formatRowLabel(first) : first.symbol,
    amount: sumAmounts(holdings.map(({ value }) => value)),
    currency: first.currency,
    reason: hasPrice ? missingReason : 'no_price',
  };
}

const excludeUnlisted = (row: UnlistedRow, missingReason: Excluded['reason']): Excluded => ({
  what: formatHoldingLabel(row.name, row.account_name),
  amount: row.value === null ? null : Number(row.value),
  currency: row.currency,
  reason: row.value === null ? 'no_price' : missingReason,
});
