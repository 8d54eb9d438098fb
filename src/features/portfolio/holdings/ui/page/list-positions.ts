import { cacheByObject } from '../../../../../ui/kit/cache-by-object.ts';
import type { HoldingTotals, PortfolioHolding, PortfolioHoldings } from '../../contract.ts';
import { calculateTotals, toDecimalText } from '../../holding-figures.ts';
import { sumAmounts } from '../../../net-worth/amounts.ts';
import {
  calculateFigures,
  calculatePortfolioFigures,
  calculateGroupWeight,
  type GroupFigures,
  toHoldingAmounts,
} from './calculate-figures.ts';
import { listIds } from './list-ids.ts';
import { roundFigures, toFigures, withFigures } from './round-figures.ts';

/**
 * Holdings of one symbol across accounts, or one holding that the catalog does not list. Amounts are in the base currency,
 * or in the listing's if it has no rate.
 */
export interface HeldPosition extends Pick<
  PortfolioHolding,
  | 'symbol'
  | 'name'
  | 'logo'
  | 'asset_type'
  | 'price'
  | 'price_unit'
  | 'change_1d'
  | 'quantity'
  | 'value'
  | 'change_amount'
  | 'gain'
> {
  key: string;
  /** Names of the accounts. */
  accounts: readonly { account_id: string; account_name: string }[];
  /** Ids of the holdings. */
  ids: readonly string[];
  /** Currency of the price. */
  priceCurrency: string | null;
  /** Currency of the amounts. */
  currency: string | null;
  /** Whether the amounts are in the base currency. */
  isConverted: boolean;
  /** Figures that omit a holding of the position, because they are unknown for it. */
  partial: PartialFigures;
  /** Percentage of the portfolio's value. Null without a price or a rate. */
  weight: number | null;
}

interface PartialFigures {
  value: boolean;
  gain: boolean;
}

/** Numbers of positions that a figure contains in part. */
type PartialCounts = Pick<HoldingTotals, 'without_price' | 'without_cost'>;

type ListedPortfolio = Pick<PortfolioHoldings, 'holdings' | 'currency' | 'base'>;

interface PortfolioPositions {
  positions: readonly HeldPosition[];
  figures: GroupFigures;
  partial: PartialCounts;
}

/**
 * Returns the positions, and the figures of all holdings in the base currency. The amounts of positions are rounded so that
 * they add up to those figures. What the figures omit is counted in positions, as the rows are.
 */
export const listPositions = cacheByObject((portfolio: ListedPortfolio): PortfolioPositions => {
  const { holdings, currency: base } = portfolio;
  const portfolioFigures = calculatePortfolioFigures(portfolio);
  const { totals } = portfolioFigures;
  const groups = Map.groupBy(holdings, ({ symbol, id }) => symbol ?? id);
  const positions = [...groups].map(([key, group]) => toPosition(key, group, base, portfolioFigures.exactValue));
  return {
    positions: totals ? roundPositions(positions, totals) : positions,
    figures: { ...portfolioFigures, totals: totals && { ...totals, ...countOmitted(positions) } },
    partial: {
      without_price: positions.filter(({ isConverted, partial }) => isConverted && partial.value).length,
      without_cost: positions.filter(({ isConverted, partial }) => isConverted && !partial.value && partial.gain)
        .length,
    },
  };
});

/**
 * Counts the positions that totals omit or contain in part: all without a price, and those in the base currency without
 * a day change or a cost.
 */
function countOmitted(positions: readonly HeldPosition[]) {
  const priced = positions.filter(({ value, partial }) => value !== null && !partial.value);
  const pricedInBase = priced.filter(({ isConverted }) => isConverted);
  return {
    without_price: positions.length - priced.length,
    without_change: pricedInBase.filter(({ change_amount: change }) => change === null).length,
    without_cost: pricedInBase.filter(({ gain, partial }) => gain === null || partial.gain).length,
  };
}

/** Rounds the amounts of positions in the base currency so that they add up to totals. */
function roundPositions(positions: readonly HeldPosition[], totals: HoldingTotals): HeldPosition[] {
  const figures = positions.map((position) => toFigures(position.isConverted ? position : null));
  const rounded = roundFigures(figures, toFigures(totals), totals.currency);
  return positions.map((position, index) => (position.isConverted ? withFigures(position, rounded[index]!) : position));
}

/** A figure of a position is the sum over its holdings of which it is known, as in the total of all holdings. */
function toPosition(
  key: string,
  holdings: readonly PortfolioHolding[],
  base: string,
  whole: string | null,
): HeldPosition {
  const first = holdings[0]!;
  const figures = calculateFigures(holdings, base);
  const { totals: converted } = figures;
  const totals = converted ?? calculateOwnTotals(holdings);
  const value = totals?.value ?? null;
  const gain = totals?.gain ?? null;
  const valued = holdings.length - (totals?.without_price ?? 0);
  return {
    key,
    symbol: first.symbol,
    name: first.name,
    logo: first.logo,
    asset_type: first.asset_type,
    price: first.price,
    price_unit: first.price_unit,
    priceCurrency: first.currency,
    change_1d: first.change_1d,
    accounts: holdings,
    ids: listIds(holdings),
    quantity: sumAmounts(holdings.map(({ quantity }) => toDecimalText(quantity, QUANTITY_DECIMALS)))!,
    isConverted: converted !== null,
    currency: totals?.currency ?? null,
    value,
    change_amount: totals?.change_amount ?? null,
    gain,
    partial: {
      value: value !== null && valued < holdings.length,
      gain: gain !== null && valued - totals!.without_cost < holdings.length,
    },
    weight: converted ? calculateGroupWeight(figures, whole) : null,
  };
}

/** Returns the totals of holdings that have no rate. */
const calculateOwnTotals = (holdings: readonly PortfolioHolding[]): HoldingTotals | undefined =>
  calculateTotals(holdings.map((holding) => [{ currency: holding.currency, ...toHoldingAmounts(holding) }]))[0];

const QUANTITY_DECIMALS = 10;
