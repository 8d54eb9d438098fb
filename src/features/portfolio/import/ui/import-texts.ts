import { formatCount } from '../../../../ui/kit/format-count.ts';
import { formatInteger } from '../../../../ui/kit/formats.ts';
import type { ColumnRole, FileKind, ImportResponse, ImportRow, LeftOutReason, TransactionKind } from '../contract.ts';
import { SECURITY_ROLES } from '../security-roles.ts';

export const formatNames: Readonly<Record<ImportResponse['format'], string>> = {
  template: 'Template',
  schwab: 'Schwab',
  fidelity: 'Fidelity',
  vanguard: 'Vanguard',
  interactive_brokers: 'Interactive Brokers',
  degiro: 'Degiro',
  table: 'Table',
};

export const reasonTexts: Readonly<Record<LeftOutReason, string>> = {
  unknown: 'Not found',
  not_looked_up: 'Not checked yet. Import again in a minute.',
  other_currency: 'Listed in another currency',
  option: 'Options are not supported',
  crypto: 'Crypto is not supported',
  unsupported: 'This kind of asset is not supported',
  short: 'Short positions are not supported',
  zero: 'No shares',
  pending: 'Not settled yet',
  kept: 'Kept as it is',
  cash_currency: 'The account has another currency',
  oversold: 'More sold than bought: the beginning is missing. Import a longer period.',
};

export const kindNames: Readonly<Record<FileKind, string>> = { positions: 'Positions', transactions: 'Transactions' };

/** Names of the meanings of a column, in the order of a choice. */
export const columnNames: Readonly<Record<ColumnRole, string>> = {
  ignore: 'Ignore',
  symbol: 'Symbol',
  identifier: 'ISIN, WKN or CUSIP',
  name: 'Name',
  quantity: 'Quantity',
  cost: 'Cost',
  unit_cost: 'Cost of one',
  price: 'Price',
  value: 'Value',
  currency: 'Currency',
  date: 'Date',
  action: 'Action',
  amount: 'Cash amount',
  debit: 'Debit',
  credit: 'Credit',
  fee: 'Fee',
  account: 'Account',
  account_number: 'Account number',
  exchange: 'Exchange',
  asset_type: 'Kind of asset',
};

const transactionNouns: Readonly<Record<TransactionKind, readonly [one: string, many: string]>> = {
  dividend: ['dividend', 'dividends'],
  interest: ['interest payment', 'interest payments'],
  deposit: ['deposit', 'deposits'],
  withdrawal: ['withdrawal', 'withdrawals'],
  fee: ['fee', 'fees'],
  tax: ['tax', 'taxes'],
  transfer: ['transfer', 'transfers'],
  exchange: ['currency exchange', 'currency exchanges'],
  other: ['other transaction', 'other transactions'],
};

/** Groups of a preview after the errors, in order. */
export const outcomeTitles: Readonly<Record<ImportRow['outcome'], string>> = {
  new: 'New',
  changed: 'Changed',
  same: 'The same',
  left_out: 'Will not be imported',
};

const isWritten = ({ outcome }: ImportRow): boolean => outcome === 'new' || outcome === 'changed';

/** Counts the holdings and the cash balances that an import writes. */
function countChanges(rows: readonly ImportRow[]): { holdings: number; balances: number } {
  const written = rows.filter(isWritten);
  const holdings = written.filter(({ kind }) => kind === 'holding').length;
  return { holdings, balances: written.length - holdings };
}

/** Returns what an import writes: `3 holdings and 1 cash balance`. Undefined if it writes nothing. */
export function describeChanges(rows: readonly ImportRow[]): string | undefined {
  const { holdings, balances } = countChanges(rows);
  const parts = [
    ...(holdings > 0 ? [formatCount(holdings, 'holding')] : []),
    ...(balances > 0 ? [formatCount(balances, 'cash balance')] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(' and ');
}

/** Rows that the result of an import names. */
const NAMED_ROWS = 10;

/** Returns what an import left out and why: `Not imported: DOGE (Crypto is not supported)`. Undefined if nothing. */
export function describeLeftOut(rows: readonly ImportRow[]): string | undefined {
  const leftOut = rows.filter(({ outcome }) => outcome === 'left_out');
  if (leftOut.length === 0) return undefined;
  const names = leftOut
    .slice(0, NAMED_ROWS)
    .map(
      ({ kind, symbol, reason }) => `${kind === 'cash' ? 'Cash' : symbol}${reason ? ` (${reasonTexts[reason]})` : ''}`,
    );
  const rest = leftOut.length - names.length;
  return `Not imported: ${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Returns the label of the button that imports. Beside holdings, cash has no number. */
export function formatImportLabel(rows: readonly ImportRow[]): string {
  const { holdings, balances } = countChanges(rows);
  if (holdings === 0) return `Import ${formatCount(balances, 'cash balance')}`;
  return `Import ${formatCount(holdings, 'holding')}${balances > 0 ? ' and cash' : ''}`;
}

/** Returns the number of transactions of a kind: `2 dividends`. */
export const countTransactions = (kind: TransactionKind, count: number): string =>
  formatCount(count, ...transactionNouns[kind]);

/** Returns which transactions make no holding: `2 dividends, 1 deposit`. Undefined if none. */
export function describeNotImported(notImported: ImportResponse['not_imported']): string | undefined {
  if (notImported.length === 0) return undefined;
  return notImported.map(({ kind, lines }) => countTransactions(kind, lines.length)).join(', ');
}

/** Returns what will become of each line but the headers: `11 lines: 8 will be imported, 1 cash, 2 will not be imported`. */
export function describeLines(lines: ImportResponse['lines']): string {
  const parts = [
    [lines.imported, 'will be imported'],
    [lines.cash, 'cash'],
    [lines.not_imported, 'will not be imported'],
    [lines.errors, lines.errors === 1 ? 'error' : 'errors'],
    [lines.totals, lines.totals === 1 ? 'total' : 'totals'],
    [lines.texts, lines.texts === 1 ? 'title or note' : 'titles or notes'],
  ] as const;
  const counts = parts.filter(([count]) => count > 0).map(([count, text]) => `${formatInteger(count)} ${text}`);
  return `${formatCount(lines.total - lines.headers, 'line')}: ${counts.join(', ')}`;
}

/** Returns what the member must say before an import, or undefined. */
export function describeOpenQuestion({ kind, table }: Pick<ImportResponse, 'kind' | 'table'>): string | undefined {
  if (kind === null) return 'Choose what the file lists.';
  if (table.missing.length === 0) return undefined;
  return `Choose the ${table.missing.length === 1 ? 'column' : 'columns'}: ${describeMissing(table.missing)}.`;
}

/** Returns the missing columns that are not chosen since. Any text that names a security is enough. */
export const listUnchosen = (missing: readonly ColumnRole[], columns: readonly ColumnRole[]): ColumnRole[] =>
  missing.filter(
    (role) => !columns.some((other) => (role === 'symbol' ? SECURITY_ROLES.includes(other) : other === role)),
  );

/** Returns the missing columns as a text: `Symbol, ISIN or name; Quantity`. */
export const describeMissing = (missing: readonly ColumnRole[]): string =>
  missing.map((role) => (role === 'symbol' ? 'Symbol, ISIN or name' : columnNames[role])).join('; ');

/** Returns the preview in one sentence for screen readers. */
export function summarizePreview(preview: ImportResponse): string {
  const { errors, rows } = preview;
  const question = describeOpenQuestion(preview);
  if (question !== undefined) return `Preview: ${question}`;
  const count = (outcome: ImportRow['outcome']): string =>
    formatInteger(rows.filter((row) => row.outcome === outcome).length);
  const parts = [
    formatCount(errors.length, 'error'),
    `${count('new')} new`,
    `${count('changed')} changed`,
    `${count('same')} the same`,
    `${count('left_out')} will not be imported`,
  ];
  const toChoose = rows.filter(({ outcome, search }) => outcome === 'left_out' && search !== null).length;
  const sentences = [
    `Preview: ${parts.join(', ')}.`,
    ...(toChoose > 0 ? [`${formatCount(toChoose, 'line')} without a known security.`] : []),
    `${describeLines(preview.lines)}.`,
  ];
  return sentences.join(' ');
}

/** Returns where a row is in the file: `Line 4`, `Lines 4, 9`. */
export const formatLines = (lines: readonly number[]): string =>
  lines.length === 1 ? `Line ${lines[0]}` : `Lines ${lines.slice(0, 5).join(', ')}${lines.length > 5 ? ', …' : ''}`;

/** Returns the account and the lines of a row: `Depot · Line 4`. */
export const formatPlace = (account: string, lines: readonly number[]): string =>
  [account, formatLines(lines)].filter(Boolean).join(' · ');
