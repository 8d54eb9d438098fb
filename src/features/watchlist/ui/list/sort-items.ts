import type { WatchlistItem } from '../../contract.ts';

/** Values of the sort menu with their labels. */
export const sortLabels = { mine: 'My order', gainers: 'Top gainers', losers: 'Top losers', name: 'Name A-Z' } as const;
export type SortChoice = keyof typeof sortLabels;

const nameCollator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
const getName = (item: WatchlistItem): string => item.name ?? item.symbol;
const getDayChange = (item: WatchlistItem): number | null => (item.locked ? null : item.change_1d);

type Compare = (a: WatchlistItem, b: WatchlistItem) => number;

const compareByChange =
  (direction: 1 | -1): Compare =>
  (a, b) => {
    const changeA = getDayChange(a);
    const changeB = getDayChange(b);
    if (changeA === null || changeB === null) return Number(changeA === null) - Number(changeB === null);
    return direction * (changeA - changeB);
  };

const comparators: Readonly<Record<Exclude<SortChoice, 'mine'>, Compare>> = {
  gainers: compareByChange(-1),
  losers: compareByChange(1),
  name: (a, b) => nameCollator.compare(getName(a), getName(b)) || nameCollator.compare(a.symbol, b.symbol),
};

/**
 * Returns the rows in the chosen order. Equal rows keep the member's order. Rows without a day change follow last, and
 * locked rows after them.
 */
export function sortItems<Item extends WatchlistItem>(items: readonly Item[], choice: SortChoice): Item[] {
  if (choice === 'mine') return [...items];
  const compare = comparators[choice];
  return items.toSorted((a, b) => Number(a.locked) - Number(b.locked) || (a.locked ? 0 : compare(a, b)));
}
