import type { Position } from '../../contract.ts';

/** Labels of the sort menu. */
export const positionSortLabels = {
  value: 'Value',
  change: 'Day change',
  gain: 'Gain',
  weight: 'Weight',
  name: 'Name',
} as const;
export type PositionSort = keyof typeof positionSortLabels;

export const isPositionSort = (value: string | null): value is PositionSort =>
  value !== null && Object.hasOwn(positionSortLabels, value);

/**
 * Sorts positions. Day change and gain are compared in percent, since amounts in two currencies cannot be compared.
 * Positions without the figure are last.
 */
export function sortPositions(positions: readonly Position[], sort: PositionSort): Position[] {
  switch (sort) {
    case 'value':
      return sortByValue(positions);
    case 'change':
      return sortByFigure(positions, ({ change_1d: change }) => change);
    case 'gain':
      return sortByFigure(positions, ({ gain }) => gain?.percent ?? null);
    case 'weight':
      return sortByFigure(positions, ({ weight }) => weight);
    case 'name':
      return positions.toSorted((a, b) => a.name.localeCompare(b.name, 'en') || a.symbol.localeCompare(b.symbol));
  }
}

const sortByFigure = (positions: readonly Position[], getFigure: (position: Position) => number | null): Position[] =>
  positions.toSorted((a, b) => {
    const figureA = getFigure(a);
    const figureB = getFigure(b);
    return (
      Number(figureA === null) - Number(figureB === null) ||
      (figureB ?? 0) - (figureA ?? 0) ||
      a.symbol.localeCompare(b.symbol)
    );
  });

/** Sorts positions by value within each currency. */
function sortByValue(positions: readonly Position[]): Position[] {
  const countByCurrency = new Map<string | null, number>();
  for (const { currency } of positions) countByCurrency.set(currency, (countByCurrency.get(currency) ?? 0) + 1);
  return positions.toSorted(
    (a, b) =>
      Number(a.value === null) - Number(b.value === null) ||
      // The currency with the most holdings comes first.
      (countByCurrency.get(b.currency) ?? 0) - (countByCurrency.get(a.currency) ?? 0) ||
      (a.currency ?? '').localeCompare(b.currency ?? '') ||
      (b.value ?? 0) - (a.value ?? 0) ||
      a.symbol.localeCompare(b.symbol),
  );
}
