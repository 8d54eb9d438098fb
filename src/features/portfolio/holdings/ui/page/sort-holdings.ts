import type { PortfolioHolding } from '../../contract.ts';
import { getBaseGain } from './calculate-figures.ts';
import { calculateHoldingYields, type Incomes } from './calculate-holding-yields.ts';
import type { HoldingGroup } from './group-holdings.ts';
import type { PortfolioSort } from './portfolio-view.ts';

/** Sorts holdings. Amounts are compared in the base currency. Holdings without the figure are always last. */
export const sortHoldings = (
  holdings: readonly PortfolioHolding[],
  { column, descending }: PortfolioSort,
  incomes: Incomes = new Map(),
): PortfolioHolding[] =>
  sortByKey(
    holdings.map((holding) => ({ item: holding, key: getSortKey(holding, column, incomes), name: holding.name })),
    descending,
  );

/** Sorts groups as their holdings are sorted, by their totals. A group has no price, so they keep their order then. */
export const sortGroups = <Group extends HoldingGroup>(
  groups: readonly Group[],
  { column, descending }: PortfolioSort,
  incomes: Incomes = new Map(),
): readonly Group[] =>
  column === 'price'
    ? groups
    : sortByKey(
        groups.map((group) => ({ item: group, key: getGroupSortKey(group, column, incomes), name: group.label })),
        descending,
      );

interface SortEntry<Item> {
  item: Item;
  key: SortKey;
  /** Order of items with the same key. */
  name: string;
}

function sortByKey<Item>(entries: SortEntry<Item>[], descending: boolean): Item[] {
  const direction = descending ? -1 : 1;
  return entries
    .sort(
      (a, b) =>
        Number(a.key === null) - Number(b.key === null) ||
        direction * compareKeys(a.key, b.key) ||
        nameCollator.compare(a.name, b.name),
    )
    .map(({ item }) => item);
}

type SortKey = number | string | null;

const nameCollator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

const compareKeys = (a: SortKey, b: SortKey): number =>
  typeof a === 'string' && typeof b === 'string' ? nameCollator.compare(a, b) : Number(a) - Number(b);

function getSortKey(holding: PortfolioHolding, column: PortfolioSort['column'], incomes: Incomes): SortKey {
  const { base } = holding;
  switch (column) {
    case 'holding':
      return holding.symbol ?? holding.name;
    case 'account':
      return holding.account_name;
    case 'price':
      return holding.price;
    case 'day':
      return base?.change_amount ?? null;
    case 'gain':
      return getBaseGain({ base });
    case 'value':
    case 'weight':
      return base?.value ?? null;
    case 'yield':
      return calculateHoldingYields([holding], incomes).yield_on_value;
  }
}

function getGroupSortKey(
  { label, totals, holdings }: HoldingGroup,
  column: Exclude<PortfolioSort['column'], 'price'>,
  incomes: Incomes,
): SortKey {
  switch (column) {
    case 'holding':
    case 'account':
      return label;
    case 'day':
      return totals?.change_amount ?? null;
    case 'gain':
      return totals?.gain?.amount ?? null;
    case 'value':
    case 'weight':
      return totals?.value ?? null;
    case 'yield':
      return calculateHoldingYields(holdings, incomes).yield_on_value;
  }
}
