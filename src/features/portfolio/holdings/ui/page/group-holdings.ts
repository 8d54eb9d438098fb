import type { AssetType } from '../../../../../market-data/contract.ts';
import type { PortfolioHolding } from '../../contract.ts';
import { calculateFigures, type GroupFigures } from './calculate-figures.ts';
import type { Grouping } from './portfolio-view.ts';

/** Property of a holding that groups and filters use. */
export type Dimension = Exclude<Grouping, 'none'>;
export const dimensions: readonly Dimension[] = ['account', 'class', 'currency'];

/** Chosen group of each dimension by its key. Without an entry every group is shown. */
export type HoldingFilter = Readonly<Partial<Record<Dimension, string | undefined>>>;

const classLabels: Readonly<Record<AssetType | 'other', string>> = {
  stock: 'Stocks',
  etf: 'ETFs',
  mutual_fund: 'Mutual funds',
  bond: 'Bonds',
  other: 'Other',
};

export interface HoldingGroup<Holding extends PortfolioHolding = PortfolioHolding> extends GroupFigures {
  key: string;
  label: string;
  holdings: readonly Holding[];
}

/** Returns the number of holdings in groups. */
export const countHoldings = (groups: readonly HoldingGroup[]): number =>
  groups.reduce((count, { holdings }) => count + holdings.length, 0);

/** Returns the key and the name of the group that a holding belongs to. */
export function getGroup(holding: PortfolioHolding, dimension: Dimension): { key: string; label: string } {
  switch (dimension) {
    case 'account':
      return { key: holding.account_id, label: holding.account_name };
    case 'class': {
      const key = holding.asset_type ?? 'other';
      return { key, label: classLabels[key] };
    }
    case 'currency':
      return { key: holding.currency ?? '', label: holding.currency ?? 'Unknown currency' };
  }
}

/** Returns the filter without groups that no longer have a holding, since no menu would offer to undo them. */
export const keepExistingGroups = (filter: HoldingFilter, holdings: readonly PortfolioHolding[]): HoldingFilter =>
  Object.fromEntries(
    dimensions
      .filter((dimension) => holdings.some((holding) => getGroup(holding, dimension).key === filter[dimension]))
      .map((dimension) => [dimension, filter[dimension]]),
  );

/** Returns the holdings that belong to every chosen group. */
export const filterHoldings = (
  holdings: readonly PortfolioHolding[],
  filter: HoldingFilter,
): readonly PortfolioHolding[] => {
  const chosen = dimensions.filter((dimension) => filter[dimension] !== undefined);
  return chosen.length === 0
    ? holdings
    : holdings.filter((holding) => chosen.every((dimension) => getGroup(holding, dimension).key === filter[dimension]));
};

/** Returns the groups of a dimension, largest value in the base currency first. Groups without a value are last. */
export function groupHoldings(
  holdings: readonly PortfolioHolding[],
  dimension: Dimension,
  base: string,
): HoldingGroup[] {
  const groups = Map.groupBy(holdings, (holding) => getGroup(holding, dimension).key);
  return [...groups]
    .map(([key, members]) => ({
      key,
      label: getGroup(members[0]!, dimension).label,
      holdings: members,
      ...calculateFigures(members, base),
    }))
    .toSorted(
      (a, b) => (b.totals?.value ?? -Infinity) - (a.totals?.value ?? -Infinity) || a.label.localeCompare(b.label, 'en'),
    );
}
