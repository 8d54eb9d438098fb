import type { WatchlistItem } from '../../contract.ts';

/** The sort menu's values and their words. */
export const sortLabels = { mine: 'My order', gainers: 'Top gainers', losers: 'Top losers', name: 'Name A-Z' } as const;
export type SortChoice = keyof typeof sortLabels;

const nameCollator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
const getName = (item: WatchlistItem): string => item.name ?? item.symbol;
const getDayChange = (item: WatchlistItem): number | null => (item.locked ? null : item.change_1d);

type Compare = (a: WatchlistItem, b: WatchlistItem) => number;

const compareByChange =
  (direction: 1 | -1): Compare =>
  (a, b) => {
    const [x, y] = [getDayChange(a), getDayChange(b)];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    return direction * (x - y);
  };

const comparators: Readonly<Record<Exclude<SortChoice, 'mine'>, Compare>> = {
  gainers: compareByChange(-1),
  losers: compareByChange(1),
  name: (a, b) => nameCollator.compare(getName(a), getName(b)) || nameCollator.compare(a.symbol, b.symbol),
};

/**
 * The rows in the chosen order; equal ones stay in the member's. A row without a day change is last both ways, a locked
 * one after it.
 */
export function sortItems<Item extends WatchlistItem>(items: readonly Item[], choice: SortChoice): Item[] {
  if (choice === 'mine') return [...items];
  const compare = comparators[choice];
  return items.toSorted((a, b) => Number(a.locked) - Number(b.locked) || (a.locked ? 0 : compare(a, b)));
}
