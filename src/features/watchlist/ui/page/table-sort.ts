import { useState } from 'react';
import { readStored, writeStored } from '../../../../ui/kit/browser-storage.ts';
import { useMember } from '../../../../ui/shell/session/session.ts';
import type { ActiveItem } from '../../contract.ts';
import { computeChangePercent } from '../../../../ui/kit/price-changes.ts';
import { filterClosesSince } from '../list/closes.ts';
import { type SortChoice, sortItems, sortLabels } from '../list/sort-items.ts';

/** Columns that sort only the table. The card's sort menu has no such order. */
type FigureColumn = 'month' | 'price' | 'volume' | 'cap';

/** Labels of the orders that only headings choose. */
const figureSortLabels = {
  'month-high': '1M, high to low',
  'month-low': '1M, low to high',
  'price-high': 'Price, high to low',
  'price-low': 'Price, low to high',
  'volume-high': 'Volume, high to low',
  'volume-low': 'Volume, low to high',
  'cap-high': 'Market cap, high to low',
  'cap-low': 'Market cap, low to high',
} as const satisfies Record<`${FigureColumn}-${'high' | 'low'}`, string>;
type FigureSort = keyof typeof figureSortLabels;

export type TableSort = SortChoice | FigureSort;

export const isFigureSort = (value: string | null): value is FigureSort =>
  value !== null && Object.hasOwn(figureSortLabels, value);

/** Returns the values of the table's sort menu: those of the card, and the order of a heading while it is chosen. */
export const getSortOptions = (sort: TableSort): Readonly<Record<string, string>> =>
  isFigureSort(sort) ? { ...sortLabels, [sort]: figureSortLabels[sort] } : sortLabels;

/** Columns whose headings sort, with their orders: the first press chooses the first one. */
export const sortsByColumn = {
  name: { label: 'Ticker', first: 'name', second: 'mine' },
  month: { label: '1M', first: 'month-high', second: 'month-low' },
  price: { label: 'Price', first: 'price-high', second: 'price-low' },
  day: { label: 'Day', first: 'gainers', second: 'losers' },
  volume: { label: 'Volume', first: 'volume-high', second: 'volume-low' },
  cap: { label: 'Market cap', first: 'cap-high', second: 'cap-low' },
} as const satisfies Record<string, { label: string; first: TableSort; second: TableSort }>;
export type SortableColumn = keyof typeof sortsByColumn;

/** Returns the direction of the rows by a column, or null if another order is chosen. */
export function getDirection(column: SortableColumn, sort: TableSort): 'ascending' | 'descending' | null {
  if (sort === 'mine') return null;
  const { first, second } = sortsByColumn[column];
  if (sort === first) return column === 'name' ? 'ascending' : 'descending';
  return sort === second ? 'ascending' : null;
}

/** Returns the order that a press of the column's heading chooses. */
export const getNextSort = (column: SortableColumn, sort: TableSort): TableSort => {
  const { first, second } = sortsByColumn[column];
  return sort === first ? second : first;
};

/** Returns the rows in the chosen order. Rows without the figure are last, in the member's order. */
export function sortTableItems(items: readonly ActiveItem[], sort: TableSort, since: string): ActiveItem[] {
  if (!isFigureSort(sort)) return sortItems(items, sort);
  const [column, firstFigure] = sort.split('-') as [FigureColumn, 'high' | 'low'];
  const direction = firstFigure === 'high' ? -1 : 1;
  return items
    .map((item) => ({ item, figure: getFigure(item, column, since) }))
    .sort(
      (a, b) =>
        Number(a.figure === null) - Number(b.figure === null) || direction * ((a.figure ?? 0) - (b.figure ?? 0)),
    )
    .map(({ item }) => item);
}

function getFigure(item: ActiveItem, column: FigureColumn, since: string): number | null {
  switch (column) {
    case 'month':
      return computeChangePercent(filterClosesSince(item.closes, since));
    case 'price':
      return item.price;
    case 'volume':
      return item.volume;
    case 'cap':
      return item.market_cap;
  }
}

/**
 * Returns the order that a heading of the table chose, kept in this browser, and a function that changes it. Without
 * one, the choice of the card counts.
 */
export function useFigureSort(): [FigureSort | null, (sort: FigureSort | null) => void] {
  const key = `tally.watchlist.table-sort.1.${useMember()?.userId ?? ''}`;
  const [chosen, setChosen] = useState<{ key: string; sort: FigureSort | null } | null>(null);
  const stored = readStored(key);
  const storedSort = isFigureSort(stored) ? stored : null;
  const choose = (sort: FigureSort | null): void => {
    writeStored(key, sort);
    setChosen({ key, sort });
  };
  return [chosen?.key === key ? chosen.sort : storedSort, choose];
}
