import { Big } from 'big.js';
import { includesFees } from './column-names.ts';
import { readMoney, type RowMoney } from './read-row.ts';
import type { Cell, Row } from './table-rows.ts';

type Amount = Extract<RowMoney, { kind: 'amount' }>;

type TradeCost =
  | { ok: true; value: string | null; currency: string | null; isPerUnit: boolean }
  | { ok: false; column: string; message: string };

/** Decimals of a cost that was converted with the rate of its row. */
const CONVERTED_DECIMALS = 12;

const isKnown = ({ amount }: Cell): boolean => amount.kind !== 'unknown';
const toAbsolute = (amount: string): Big => Big(amount).abs();

/**
 * Returns the cell of the money that a trade moved. An amount that contains the fees is preferred. Beside a gross
 * amount, another one is net.
 */
function findAmountCell(row: Row): { cell: Cell; includesFees: boolean | null } | undefined {
  const roles = ['amount', 'debit', 'credit', 'cost', 'value'] as const;
  const cells = roles.flatMap((role) => row.list(role)).filter(isKnown);
  const hasGross = (cell: Cell): boolean =>
    row.hasColumn((other) => other !== cell.header && includesFees(other) === false);
  const amounts = cells.map((cell) => ({
    cell,
    includesFees: includesFees(cell.header) ?? (hasGross(cell) ? true : null),
  }));
  return amounts.find((amount) => amount.includesFees === true) ?? amounts[0];
}

const findPriceCell = (row: Row): Cell | undefined => [...row.list('unit_cost'), ...row.list('price')].find(isKnown);

/** Returns the sum of the fees in a currency. Fees in another currency are not known in this one. */
function addFees(fees: readonly Amount[], currency: string | null): Big {
  const known = fees.filter((fee) => fee.currency === null || currency === null || fee.currency === currency);
  return known.reduce((sum, { value }) => sum.plus(toAbsolute(value)), Big(0));
}

/** Returns the cost of a purchase with its fees, from the money that was moved or from price and quantity. */
export function readTradeCost(row: Row, quantity: string, areFeesIncluded: boolean | null): TradeCost {
  const amountCell = findAmountCell(row);
  const priceCell = findPriceCell(row);
  const amount = amountCell ? readMoney(amountCell.cell) : undefined;
  const price = priceCell ? readMoney(priceCell) : undefined;
  const fees = row.list('fee').map(readMoney);
  for (const money of [amount, price, ...fees])
    if (money?.kind === 'invalid') return { ok: false, column: money.column, message: money.message };
  const knownFees = fees.filter((fee) => fee.kind === 'amount');
  const gross = price?.kind === 'amount' ? toAbsolute(price.value).times(quantity) : undefined;
  const priceCurrency = price?.kind === 'amount' ? price.currency : null;
  if (amount?.kind !== 'amount') {
    const value = gross?.plus(addFees(knownFees, priceCurrency)).toFixed() ?? null;
    return { ok: true, value, currency: priceCurrency, isPerUnit: true };
  }
  const fee = addFees(knownFees, amount.currency);
  const moved = toAbsolute(amount.value);
  const hasFees = areFeesIncluded ?? amountCell!.includesFees ?? !knownFees.some(({ value }) => value.startsWith('-'));
  const total = hasFees ? moved : moved.plus(fee);
  const currency = amount.currency ?? priceCurrency;
  if (gross === undefined || priceCurrency === null || priceCurrency === currency)
    return { ok: true, value: total.toFixed(), currency, isPerUnit: false };
  // The price is in the currency of the listing. Fees are converted with the rate of this trade.
  const withoutFees = total.minus(fee);
  const value = withoutFees.gt(0) ? gross.times(total).div(withoutFees).round(CONVERTED_DECIMALS) : gross;
  return { ok: true, value: value.toFixed(), currency: priceCurrency, isPerUnit: false };
}

/** Rows that show whether amounts contain the fees. */
const SAMPLE_ROWS = 200;

/**
 * Returns whether the amounts of a table contain the fees, as far as price times quantity shows it. Null if no row does.
 */
export function findFeeRule(rows: readonly Row[], isPurchase: (row: Row) => boolean): boolean | null {
  let votes = 0;
  for (const row of rows.slice(0, SAMPLE_ROWS)) if (isPurchase(row)) votes += compareWithGross(row);
  return votes === 0 ? null : votes > 0;
}

/** Returns 1 if the amount is price times quantity with fees, -1 if it is without them, else 0. */
function compareWithGross(row: Row): number {
  const amountCell = findAmountCell(row)?.cell;
  const priceCell = findPriceCell(row);
  if (!amountCell || !priceCell) return 0;
  const amount = readMoney(amountCell);
  const price = readMoney(priceCell);
  const quantity = row.get('quantity').amount;
  if (amount.kind !== 'amount' || price.kind !== 'amount' || quantity.kind !== 'amount') return 0;
  if (amount.currency !== price.currency) return 0;
  const fees = row
    .list('fee')
    .map(readMoney)
    .filter((fee) => fee.kind === 'amount');
  const fee = addFees(fees, amount.currency);
  const gross = toAbsolute(quantity.value).times(toAbsolute(price.value));
  const difference = toAbsolute(amount.value).minus(gross);
  if (fee.eq(0)) return 0;
  if (difference.abs().times(4).lt(fee)) return -1;
  return difference.minus(fee).abs().times(4).lt(fee) ? 1 : 0;
}
