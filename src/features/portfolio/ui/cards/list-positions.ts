import type { PortfolioHolding, PortfolioHoldings } from '../../contract.ts';
import { calculateChangeAmount, calculateGain, type HoldingAmounts, sumAmounts } from '../../holding-figures.ts';
import {
  calculateFigures,
  calculateWeight,
  type GroupFigures,
  listIds,
  toDecimalText,
} from '../page/group-holdings.ts';

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
  /** Percentage of the portfolio's value. Null without a price or a rate. */
  weight: number | null;
}

/** Returns the positions, and the figures of all holdings in the base currency. */
export function listPositions({ holdings, currency: base }: Pick<PortfolioHoldings, 'holdings' | 'currency'>): {
  positions: HeldPosition[];
  figures: GroupFigures;
} {
  const figures = calculateFigures(holdings, base);
  const groups = Map.groupBy(holdings, ({ symbol, id }) => symbol ?? id);
  return {
    positions: [...groups].map(([key, group]) => toPosition(key, group, base, figures.totals?.value ?? null)),
    figures,
  };
}

function toPosition(
  key: string,
  holdings: readonly PortfolioHolding[],
  base: string,
  total: number | null,
): HeldPosition {
  const first = holdings[0]!;
  const isConverted = holdings.every(({ value, base: amounts }) => value === null || amounts !== null);
  const amounts = holdings.map((holding) => toAmounts(isConverted ? holding.base : holding));
  const value = sumAmounts(amounts.map((holding) => holding.value));
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
    currency: isConverted ? base : first.currency,
    value,
    change_amount: calculateChangeAmount(amounts),
    gain: calculateGain(amounts),
    weight: isConverted ? calculateWeight(value, total) : null,
  };
}

const QUANTITY_DECIMALS = 10;

const toAmounts = (
  amounts: { value: number | null; cost_basis: number | null; change_amount: number | null } | null,
): HoldingAmounts => ({
  value: toDecimalText(amounts?.value),
  cost_basis: toDecimalText(amounts?.cost_basis),
  change_amount: toDecimalText(amounts?.change_amount),
});
