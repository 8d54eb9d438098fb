import type { PortfolioHolding } from '../../contract.ts';
import { getBaseGain } from './calculate-figures.ts';
import { calculateHoldingYields, type Incomes } from './calculate-holding-yields.ts';
import type { PortfolioSort } from './portfolio-view.ts';

/** Sorts holdings. Amounts are compared in the base currency. Holdings without the figure are always last. */
export function sortHoldings(
  holdings: readonly PortfolioHolding[],
  { column, descending }: PortfolioSort,
  incomes: Incomes = new Map(),
): PortfolioHolding[] {
  const direction = descending ? -1 : 1;
  const entries = holdings.map((holding) => ({ holding, key: getSortKey(holding, column, incomes) }));
  return entries
    .sort(
      (a, b) =>
        Number(a.key === null) - Number(b.key === null) ||
        direction * compareKeys(a.key, b.key) ||
        nameCollator.compare(a.holding.name, b.holding.name),
    )
    .map(({ holding }) => holding);
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
