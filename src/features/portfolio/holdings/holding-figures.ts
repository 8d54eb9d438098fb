import { addAmounts, calculatePercent, negate, toNumberOrNull } from '../net-worth/amounts.ts';
import type { Gain, HoldingTotals } from './contract.ts';

/** Amounts of a holding, as strings (`numeric`). Null is unknown. */
interface Amounts {
  value: string | null;
  /** Total amount paid. */
  cost_basis: string | null;
  change_amount: string | null;
}

/** Amounts of a holding in one currency. */
export interface HoldingAmounts extends Amounts {
  /** The amounts before they were rounded, for percentages. Omitted if they were not. */
  exact?: Amounts | undefined;
}

interface CurrencyAmounts extends HoldingAmounts {
  currency: string | null;
}

/** Figure that holdings add up to. */
export type SummedFigure = 'value' | 'change' | 'gain';

/** Returns the amounts of a holding that a figure adds up. The figure is unknown if one of them is. */
const figureAmounts = {
  value: ({ value }) => [value],
  change: ({ value, change_amount: change }) => [value === null ? null : change],
  gain: ({ value, cost_basis: cost }) => [value, negate(cost)],
} as const satisfies Record<SummedFigure, (holding: Amounts) => readonly (string | null)[]>;

/** Returns the amounts of one holding that a figure adds up, each null if it is unknown. */
export const listFigureAmounts = (figure: SummedFigure, holding: Amounts): readonly (string | null)[] =>
  figureAmounts[figure](holding);

/** Returns whether a figure is known for each holding. */
export const isFigureKnown = (figure: SummedFigure, holdings: readonly Amounts[]): boolean =>
  holdings.every((holding) => figureAmounts[figure](holding).every((amount) => amount !== null));

/** Returns the positions for which a figure is known. Its total omits the others. */
export const selectKnown = <Holding extends Amounts>(
  figure: SummedFigure,
  positions: readonly (readonly Holding[])[],
): (readonly Holding[])[] => positions.filter((holdings) => isFigureKnown(figure, holdings));

/** Returns the sum of a figure as decimal text. Null if it is unknown for one of the holdings. */
const addFigure = (figure: SummedFigure, holdings: readonly Amounts[]): string | null =>
  addAmounts(holdings.flatMap((holding) => figureAmounts[figure](holding)));

const getExact = (holdings: readonly HoldingAmounts[]): Amounts[] =>
  holdings.map((holding) => holding.exact ?? holding);

/** Returns the day change of holdings in one currency. Null if it is unknown for one of them, or without a value. */
export const calculateChangeAmount = (holdings: readonly HoldingAmounts[]): number | null =>
  toNumberOrNull(addFigure('change', holdings));

/** Returns value minus cost of holdings in one currency. Null if value or cost is unknown for one of them. */
export function calculateGain(holdings: readonly HoldingAmounts[]): Gain | null {
  const amount = toNumberOrNull(addFigure('gain', holdings));
  if (amount === null) return null;
  const exact = getExact(holdings);
  const cost = addAmounts(exact.map(({ cost_basis }) => cost_basis));
  return { amount, percent: calculatePercent(addFigure('gain', exact), cost) };
}

/**
 * Returns the totals of each currency, largest number of positions first. A position is given as its holdings. One
 * without a price counts only in `without_price`. One without day change or cost is left out of that total.
 */
export function calculateTotals(positions: readonly (readonly CurrencyAmounts[])[]): HoldingTotals[] {
  const positionsByCurrency = Map.groupBy(positions, ([holding]) => holding?.currency ?? null);
  return [...positionsByCurrency]
    .flatMap(([currency, group]) => (currency === null ? [] : [calculateCurrencyTotals(currency, group)]))
    .toSorted(
      (a, b) =>
        positionsByCurrency.get(b.currency)!.length - positionsByCurrency.get(a.currency)!.length ||
        a.currency.localeCompare(b.currency),
    );
}

function calculateCurrencyTotals(currency: string, positions: readonly (readonly CurrencyAmounts[])[]): HoldingTotals {
  const priced = selectKnown('value', positions);
  const changed = selectKnown('change', priced);
  const withCost = selectKnown('gain', priced);
  return {
    currency,
    value: priced.length === 0 ? null : toNumberOrNull(addFigure('value', priced.flat())),
    change_amount: changed.length === 0 ? null : calculateChangeAmount(changed.flat()),
    change_percent: changed.length === 0 ? null : calculateChangePercent(changed.flat()),
    gain: withCost.length === 0 ? null : calculateGain(withCost.flat()),
    without_price: positions.length - priced.length,
    without_change: priced.length - changed.length,
    without_cost: priced.length - withCost.length,
  };
}

/** Returns the day change in percent of the value at the previous close. All values and day changes must be known. */
function calculateChangePercent(holdings: readonly HoldingAmounts[]): number | null {
  const exact = getExact(holdings);
  const change = addFigure('change', exact);
  return calculatePercent(change, addAmounts([addFigure('value', exact), negate(change)]));
}

/** Returns a number of the API as decimal text, for exact sums. Amounts of money have at most eight decimals. */
export const toDecimalText = (value: number | null | undefined, decimals = 8): string | null =>
  value?.toFixed(decimals) ?? null;
