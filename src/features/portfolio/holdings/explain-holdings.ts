import type { Explanation } from '../net-worth/contract.ts';
import type { HoldingTotals } from './contract.ts';
import {
  createPrice,
  createTerm,
  type Excluded,
  formatHoldingLabel,
  type Term,
} from '../net-worth/explanation-terms.ts';
import {
  type HoldingAmounts,
  isFigureKnown,
  listFigureAmounts,
  selectKnown,
  type SummedFigure,
} from './holding-figures.ts';
import { sumAmounts } from '../net-worth/amounts.ts';
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

/** Terms of a holding in a figure, one for each amount that the figure adds up. */
const figureTerms: Record<SummedFigure, readonly ((holding: ExplainedRow, amount: number) => Term)[]> = {
  value: [toValueTerm],
  change: [toChangeTerm],
  gain: [toValueTerm, toCostTerm],
};

/** Why a holding with a price is missing in a figure. */
const missingReasons = { value: 'no_price', change: 'no_change', gain: 'no_cost' } as const;

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
    return { terms: isFigureKnown(figure, parts) ? terms : [], excluded };
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

/** Amounts of a holding in the base currency as decimal text, and how they were converted. */
export interface ConvertedHolding {
  currency: string;
  /** Null without a value or a rate. */
  amounts: HoldingAmounts | null;
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
  return explainFigures((figure) => {
    const { terms, excluded } = explainSum([[{ ...row, ...amounts, currency }]], figure);
    // The terms name the currency before the conversion, and its rate.
    return { terms: terms.map((term) => ({ ...term, ...rate, price_currency: row.currency })), excluded };
  });
}

const explainFigures = (explain: (figure: SummedFigure) => Explanation): HoldingExplanations => ({
  explain: explain('value'),
  explain_change: explain('change'),
  explain_gain: explain('gain'),
});

/** Explains a sum over positions by the amounts that it adds up. A position without the figure is excluded. */
function explainSum(positions: readonly (readonly ExplainedRow[])[], figure: SummedFigure): Explanation {
  const known = selectKnown(figure, positions);
  return {
    terms: known.flat().flatMap((holding) => {
      const amounts = listFigureAmounts(figure, holding);
      return figureTerms[figure].map((toTerm, index) => toTerm(holding, Number(amounts[index])));
    }),
    excluded: positions
      .filter((holdings) => !known.includes(holdings))
      .map((holdings) => excludePosition(holdings, missingReasons[figure])),
  };
}

/** Without a price of the catalog, the value is the institution's. */
function toValueTerm(row: ExplainedRow, amount: number): Term {
  const [at, source] = row.price === null ? [row.as_of, row.account_kind] : [row.price_at, row.price_source];
  return createTerm({
    label: formatRowLabel(row),
    quantity: Number(row.quantity),
    ...createPrice(row.price, row.asset_type),
    price_at: at?.toISOString() ?? null,
    source,
    amount,
    currency: row.currency,
  });
}

function toChangeTerm(row: ExplainedRow, amount: number): Term {
  return createTerm({
    label: `Price change of ${formatRowLabel(row)}`,
    quantity: Number(row.quantity),
    ...createPrice(row.price_change, row.asset_type),
    price_at: row.price_at?.toISOString() ?? null,
    source: row.price_source,
    amount,
    currency: row.currency,
  });
}

function toCostTerm(row: ExplainedRow, amount: number): Term {
  return createTerm({
    label: `Cost of ${formatRowLabel(row)}`,
    source: row.account_kind,
    amount,
    currency: row.currency,
  });
}

const getName = ({ symbol, name }: ExplainedRow): string => symbol ?? name!;
const formatRowLabel = (row: ExplainedRow): string => formatHoldingLabel(getName(row), row.account_name);

/** Names the account of a single holding. Several holdings are a whole position. */
function excludePosition(holdings: readonly ExplainedRow[], missingReason: Excluded['reason']): Excluded {
  const [first, ...others] = holdings as [ExplainedRow];
  const hasPrice = isFigureKnown('value', holdings);
  return {
    what: others.length === 0 ? formatRowLabel(first) : getName(first),
    amount: sumAmounts(holdings.map(({ value }) => value)),
    currency: first.currency,
    reason: hasPrice ? missingReason : 'no_price',
  };
}
