import type { TransactionKind } from './contract.ts';
import type { FileBuilder } from './file-builder.ts';
import { hasTooManyRows } from './holdings-file.ts';
import { findCurrency } from './parse-amount.ts';
import { type DateReadings, findDateOrder, parseDate } from './parse-date.ts';
import { createAccountReader, findLengthError, readSecurity, type RowSecurity } from './read-row.ts';
import { readTrade } from './read-trade.ts';
import { findFeeRule } from './read-trade-cost.ts';
import { addHolding, findDirection, mergeSecurities, type SecurityTrades } from './security-trades.ts';
import { isCashFund, isNoticeRow, isTotalRow } from './special-rows.ts';
import type { Cell, ReadableTable, Row } from './table-rows.ts';
import { findAction, type TransactionAction } from './transaction-actions.ts';

/** Adds the holdings that the trades of the tables make to the file, and counts other transactions by kind. */
export function readTransactions(builder: FileBuilder, tables: readonly ReadableTable[]): void {
  const securities = new Map<string, SecurityTrades>();
  const isinBySymbol = listIsins(tables);
  for (const table of tables) readTable(builder, table, securities, isinBySymbol);
  for (const trades of securities.values()) addHolding(builder, trades);
}

/** Lists the ISINs that the file has beside symbols, since not every row of a security has both. */
function listIsins(tables: readonly ReadableTable[]): ReadonlyMap<string, string> {
  const isins = new Map<string, string>();
  const withBoth = tables.filter(({ roles }) => roles.includes('symbol') && roles.includes('identifier'));
  for (const table of withBoth)
    for (const record of table.rows) {
      const { symbol, isin } = readSecurity(table.toRow(record));
      if (isin !== null && symbol !== '' && !isins.has(symbol)) isins.set(symbol, isin);
    }
  return isins;
}

function readTable(
  builder: FileBuilder,
  table: ReadableTable,
  securities: Map<string, SecurityTrades>,
  isinBySymbol: ReadonlyMap<string, string>,
): void {
  const rows = table.rows.map((record) => table.toRow(record));
  const readAccount = createAccountReader(builder, table);
  const readAction = createActionReader(rows);
  const dates = rows.map((row) => parseDate(row.get('date').text));
  const columns = {
    areFeesIncluded: findFeeRule(rows, (row) => readAction(row) === 'buy'),
    hasDates: table.roles.includes('date'),
    dateOrder: findDateOrder(dates),
  };
  const isNewestFirst = findDirection(dates, columns.dateOrder);
  const currencyBySymbol = new Map<string, string>();
  for (const [index, row] of rows.entries()) {
    builder.rowCount += 1;
    if (hasTooManyRows(builder)) return;
    const lengthError = findLengthError(row, table);
    if (isTotalRow(row)) builder.addTotal(row.line);
    else if (isNoticeRow(row)) continue;
    else if (lengthError) builder.addError(row.line, null, lengthError);
    else readTransaction(row, dates[index]!);
  }

  function readTransaction(row: Row, date: DateReadings): void {
    const { line } = row;
    const security = readSecurity(row);
    const action = readAction(row);
    const kind = findOtherKind(row, action, security);
    if (kind) return builder.addNotImported(line, kind);
    if (security.search === '')
      return builder.addError(line, null, 'The symbol is missing. Fill it in, or delete the line.');
    const { accountKey, addAccount } = readAccount(row);
    const isin = security.isin ?? isinBySymbol.get(security.symbol);
    const read = readTrade(row, action, date, columns);
    // A symbol without an ISIN may be listed in several currencies.
    const currency = (read.ok && read.currency) || currencyBySymbol.get(security.symbol) || '';
    if (currency !== '' && security.symbol !== '') currencyBySymbol.set(security.symbol, currency);
    const key = [accountKey, isin ?? [security.identifiers[0] ?? security.search, currency].join('\n')].join('\n');
    const group = securities.get(key) ?? {
      accountKey,
      security,
      lines: [],
      trades: [],
      errorLines: [],
      currencies: new Set(),
      isCostPerUnit: false,
      dateColumn: columns.hasDates ? row.get('date').column : null,
      hasDirection: isNewestFirst !== null,
      addAccount,
    };
    securities.set(key, group);
    group.security = mergeSecurities(group.security, security);
    group.lines.push(line);
    if (!read.ok) {
      group.errorLines.push(line);
      return builder.addError(line, read.column, read.message);
    }
    group.trades.push({ ...read.trade, date: read.date, place: isNewestFirst ? -line : line });
    if (read.currency) group.currencies.add(read.currency);
    group.isCostPerUnit ||= read.isCostPerUnit;
    group.hasDirection &&= isNewestFirst !== null;
  }
}

/** Returns a function that reads the action of a row. Without a word, signs say whether it is a purchase or a sale. */
function createActionReader(rows: readonly Row[]): (row: Row) => TransactionAction | 'unknown' {
  const isNegative = (row: Row, role: 'quantity' | 'amount' | 'value'): boolean => {
    const { amount } = row.get(role);
    return amount.kind === 'amount' && amount.value.startsWith('-');
  };
  const hasSignedQuantities = rows.some((row) => isNegative(row, 'quantity'));
  const isPaid = (row: Row): boolean =>
    isNegative(row, 'amount') || isNegative(row, 'value') || hasFigure(row.get('debit'));
  const hasPayments = rows.some(isPaid);
  const readSign = (row: Row): TransactionAction => {
    if (hasSignedQuantities) return isNegative(row, 'quantity') ? 'sell' : 'buy';
    return hasPayments && !isPaid(row) ? 'sell' : 'buy';
  };
  return (row) => {
    const texts = row.list('action');
    const known = texts.flatMap(({ text }) => findAction(text) ?? []);
    // A second column is often more exact: `Trade` and `Buy`, or `Order` and `Sell`.
    const action =
      known.find((found) => found !== 'trade' && found !== 'other') ??
      known[0] ??
      (texts.length === 0 ? 'trade' : undefined);
    const hasQuantity = hasFigure(row.get('quantity'));
    if (texts.length === 0 && !hasQuantity) return findDescribedKind(row.get('name').text);
    if (action === 'reinvestment') return hasQuantity ? 'buy' : 'dividend';
    if (action === 'trade') return hasQuantity ? readSign(row) : 'other';
    return action ?? (hasQuantity ? 'unknown' : 'other');
  };
}

/** Returns what a row without an action and a quantity is by its description: `Div 10 VOD`. It is no trade. */
function findDescribedKind(description: string): TransactionKind {
  const action = findAction(description);
  const isTrade = ['buy', 'sell', 'split', 'reinvestment', 'trade'].includes(action ?? 'trade');
  return isTrade ? 'other' : (action as TransactionKind);
}

/** Returns whether a cell has a number other than zero, or one that cannot be read. */
const hasFigure = ({ amount }: Cell): boolean =>
  amount.kind === 'invalid' || (amount.kind === 'amount' && amount.value !== '0');

/** Column with the status of orders, and the status of one that was not carried out. */
const STATUS_NAME = /^(?:order ?)?(?:status|state)$/;
const VOID = /cancel|reject|expired|storn|pending|failed|open$/i;

/** Returns the kind of a transaction that makes no holding, or undefined if it is a trade of a security. */
function findOtherKind(
  row: Row,
  action: TransactionAction | 'unknown',
  { symbol, skipReason }: RowSecurity,
): TransactionKind | undefined {
  if (row.record.cells.some((cell, index) => row.isNamed(index, STATUS_NAME) && VOID.test(cell))) return 'other';
  if (action !== 'buy' && action !== 'sell' && action !== 'split' && action !== 'unknown')
    return action === 'trade' || action === 'reinvestment' ? 'other' : action;
  if (isCashFund(symbol)) return 'other';
  const isForex = isCurrencyPair(symbol) || /forex|^cash$/i.test(row.get('asset_type').text);
  return isForex && (skipReason === 'unsupported' || skipReason === undefined) ? 'exchange' : undefined;
}

const isCurrencyPair = (symbol: string): boolean =>
  /^[A-Z]{3}[./][A-Z]{3}$/.test(symbol) && symbol.split(/[./]/).every((code) => findCurrency(code) !== undefined);
