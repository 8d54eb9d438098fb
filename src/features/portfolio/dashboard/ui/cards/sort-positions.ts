import type { HeldPosition } from '../../../holdings/ui/page/list-positions.ts';

/** Labels of the sort menu by column of the table. */
export const positionSortLabels = {
  value: 'Value',
  day: 'Day change',
  gain: 'Gain',
  weight: 'Weight',
  holding: 'Name',
} as const;
export type PositionSort = keyof typeof positionSortLabels;

export const isPositionSort = (value: string | null): value is PositionSort =>
  value !== null && Object.hasOwn(positionSortLabels, value);

/**
 * Sorts positions. Day change and gain are compared in percent. A value without a rate cannot be compared.
 * Positions without the figure are last.
 */
export function sortPositions(positions: readonly HeldPosition[], sort: PositionSort): HeldPosition[] {
  switch (sort) {
    case 'value':
      return sortByFigure(positions, ({ value, weight }) => (weight === null ? null : value));
    case 'day':
      return sortByFigure(positions, ({ change_1d: change }) => change);
    case 'gain':
      return sortByFigure(positions, ({ gain }) => gain?.percent ?? null);
    case 'weight':
      return sortByFigure(positions, ({ weight }) => weight);
    case 'holding':
      return positions.toSorted((a, b) => a.name.localeCompare(b.name, 'en') || a.key.localeCompare(b.key));
  }
}

const sortByFigure = (
  positions: readonly HeldPosition[],
  getFigure: (position: HeldPosition) => number | null,
): HeldPosition[] =>
  positions.toSorted((a, b) => {
    const figureA = getFigure(a);
    const figureB = getFigure(b);
    return (
      Number(figureA === null) - Number(figureB === null) ||
      (figureB ?? 0) - (figureA ?? 0) ||
      a.key.localeCompare(b.key)
    );
  });
