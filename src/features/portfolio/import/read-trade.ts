import type { Trade } from './average-cost.ts';
import { toQuantity } from './parse-amount.ts';
import type { DateReadings } from './parse-date.ts';
import { isTooLarge, MAX_QUANTITY } from './read-row.ts';
import { readTradeCost } from './read-trade-cost.ts';
import type { DatedTrade } from './security-trades.ts';
import type { Row } from './table-rows.ts';
import type { TransactionAction } from './transaction-actions.ts';

/** Date of trades in a file without dates. */
const NO_DATE: DatedTrade['date'] = { dayFirst: '', monthFirst: '' };

type TradeReading =
  | { ok: true; trade: Trade; date: DatedTrade['date']; currency: string | null; isCostPerUnit: boolean }
  | { ok: false; column: string | null; message: string };

/** What the columns of a table say about all of its trades. */
interface TradeColumns {
  /** Whether amounts contain the fees, or null if price and quantity do not show it. */
  areFeesIncluded: boolean | null;
  hasDates: boolean;
  dateOrder: keyof DateReadings | null;
}

/** Reads a purchase, a sale or a split. The error names the column and what to do. */
export function readTrade(
  row: Row,
  action: TransactionAction | 'unknown',
  readings: DateReadings,
  columns: TradeColumns,
): TradeReading {
  const { line } = row;
  const fail = (column: string | null, message: string): TradeReading => ({ ok: false, column, message });
  const actionCell = row.get('action');
  if (action === 'unknown')
    return fail(actionCell.column, `“${actionCell.text.slice(0, 40)}” is no known transaction. Write Buy or Sell.`);
  const dateCell = row.get('date');
  const date = columns.hasDates ? chooseReading(readings, columns.dateOrder) : NO_DATE;
  if (!date)
    return fail(
      dateCell.column,
      dateCell.text === ''
        ? 'The date is missing. Fill it in, or delete the line.'
        : `“${dateCell.text.slice(0, 40)}” is no date. Write it like 2026-11-27.`,
    );
  const quantityCell = row.get('quantity');
  const quantity = toQuantity(quantityCell.amount, quantityCell.text);
  if (quantity.kind === 'invalid') return fail(quantityCell.column, quantity.message);
  if (action === 'split') {
    const split = readSplit(row, quantity.kind === 'amount' ? quantity.value : '0');
    if (!split) return fail(quantityCell.column, 'The split has no ratio. Write it like 4 for 1, or delete the line.');
    return { ok: true, trade: { line, action, ...split }, date, currency: null, isCostPerUnit: false };
  }
  if (quantity.kind === 'unknown')
    return fail(quantityCell.column, 'The quantity is missing. Fill it in, or delete the line.');
  if (isTooLarge(quantity.value, MAX_QUANTITY))
    return fail(quantityCell.column, 'The quantity is larger than 1,000,000,000,000. Correct it.');
  if (action === 'sell') {
    const trade = { line, action, quantity: quantity.value.replace('-', '') } as const;
    const cost = readTradeCost(row, '0', columns.areFeesIncluded);
    return { ok: true, trade, date, currency: cost.ok ? cost.currency : null, isCostPerUnit: false };
  }
  if (quantity.value.startsWith('-'))
    return fail(quantityCell.column, 'The quantity of a purchase is negative. Correct it, or delete the line.');
  const cost = readTradeCost(row, quantity.value, columns.areFeesIncluded);
  if (!cost.ok) return cost;
  return {
    ok: true,
    trade: { line, action: 'buy', quantity: quantity.value, cost: cost.value },
    date,
    currency: cost.currency,
    isCostPerUnit: cost.isPerUnit && cost.value !== null,
  };
}

/** Returns the date in the order of its column, or both readings without one. Undefined if it is no date. */
function chooseReading(
  { dayFirst, monthFirst }: DateReadings,
  order: keyof DateReadings | null,
): DatedTrade['date'] | undefined {
  const first = order === 'monthFirst' ? monthFirst : dayFirst;
  const second = order === 'dayFirst' ? dayFirst : monthFirst;
  return first === null || second === null ? undefined : { dayFirst: first, monthFirst: second };
}

const RATIO = /(?<![\d.,])(\d{1,6}(?:\.\d{1,6})?)(?: ?: ?| for |-for-| zu | pour )(\d{1,6}(?:\.\d{1,6})?)(?![\d.,])/i;

type Split = { ratio: readonly [string, string] } | { added: string };

/**
 * Reads a split: the ratio in the row, or the number of new shares. `4:1` and `1:4` both mean four shares for one,
 * unless the row speaks of a reverse split.
 */
function readSplit(row: Row, quantity: string): Split | undefined {
  const texts = row.record.cells.filter((cell, index) => /split/i.test(cell) || row.isNamed(index, /ratio/));
  const ratio = texts.map((text) => RATIO.exec(text)).find((match) => match !== null);
  if (ratio) {
    const [whole, first, second] = ratio as unknown as [string, string, string];
    if (Number(first) === 0 || Number(second) === 0) return undefined;
    if (!whole.includes(':')) return { ratio: [first, second] };
    const [small, large] = Number(first) < Number(second) ? [first, second] : [second, first];
    const isReverse = texts.some((text) => /reverse|zusammenlegung|consolidation/i.test(text));
    return { ratio: isReverse ? [small, large] : [large, small] };
  }
  if (/^0?$/.test(quantity)) return undefined;
  const isTakenAway = /\bclose\b/i.test(row.get('action').text) && !quantity.startsWith('-');
  return { added: isTakenAway ? `-${quantity}` : quantity };
}
