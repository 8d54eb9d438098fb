import type { AssetType } from '../../../../market-data/contract.ts';
import type { HoldingTotals, PortfolioHolding } from '../../contract.ts';
import { calculatePercent, calculateTotals } from '../../holding-figures.ts';
import type { Grouping, PortfolioSort } from './portfolio-view.ts';

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

/** Figures of several holdings in the base currency. */
export interface GroupFigures {
  /** Null if no holding can be converted. */
  totals: HoldingTotals | null;
  /** Amounts whose currency has no rate, one entry per currency. `totals` omits them. */
  unconverted: readonly { currency: string; amount: number }[];
}

export interface HoldingGroup extends GroupFigures {
  key: string;
  label: string;
  holdings: readonly PortfolioHolding[];
}

/** Returns the ids of holdings, which name them in an explanation. */
export const listIds = (holdings: readonly PortfolioHolding[]): string[] => holdings.map(({ id }) => id);

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

/** Returns the totals of holdings in the base currency, and the amounts whose currency has no rate to it. */
export function calculateFigures(holdings: readonly PortfolioHolding[], base: string): GroupFigures {
  const isUnconverted = (holding: PortfolioHolding): boolean => holding.value !== null && holding.base === null;
  const [totals = null] = calculateTotals(
    holdings
      .filter((holding) => !isUnconverted(holding))
      .map(({ base: amounts }) => [
        {
          currency: base,
          value: toDecimalText(amounts?.value),
          cost_basis: toDecimalText(amounts?.cost_basis),
          change_amount: toDecimalText(amounts?.change_amount),
        },
      ]),
  );
  const unconverted = calculateTotals(
    holdings
      .filter(isUnconverted)
      .map(({ currency, value }) => [{ currency, value: toDecimalText(value), cost_basis: null, change_amount: null }]),
  );
  return {
    totals,
    unconverted: unconverted.map(({ currency, value }) => ({ currency, amount: value ?? 0 })),
  };
}

/** Converts an amount of the API, which has at most eight decimals, for exact sums. */
export const toDecimalText = (amount: number | null | undefined, decimals = 8): string | null =>
  amount?.toFixed(decimals) ?? null;

/** Returns the share of the portfolio's value in percent. Null without a value or a rate. */
export const calculateWeight = (value: number | null | undefined, total: number | null | undefined): number | null =>
  typeof value === 'number' && typeof total === 'number' ? calculatePercent(value, total) : null;

/** Sorts holdings. Amounts are compared in the base currency. Holdings without the figure are always last. */
export function sortHoldings(
  holdings: readonly PortfolioHolding[],
  { column, descending }: PortfolioSort,
): PortfolioHolding[] {
  const direction = descending ? -1 : 1;
  const entries = holdings.map((holding) => ({ holding, key: getSortKey(holding, column) }));
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

function getSortKey({ base, ...holding }: PortfolioHolding, column: PortfolioSort['column']): SortKey {
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
      return base === null || base.cost_basis === null ? null : base.value - base.cost_basis;
    case 'value':
    case 'weight':
      return base?.value ?? null;
  }
}
