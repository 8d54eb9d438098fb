/** A file of holdings as its parser understands it. Amounts are exact decimal numbers in digits. */

import { createHash } from 'node:crypto';
import type { ColumnRole, FileKind, LeftOutReason, TransactionKind } from './contract.ts';

/** Format by its header. `table`: any other table. It names accounts and their currency, and a few peculiarities. */
export type FileFormat = 'template' | 'schwab' | 'fidelity' | 'vanguard' | 'interactive_brokers' | 'degiro' | 'table';

/** What the member says about a file. Null: what the file itself says. */
export interface FileChoices {
  kind: FileKind | null;
  /** Meaning of each column of the first table, and of further tables with the same header. */
  columns: readonly ColumnRole[] | null;
}

/** Earlier choices of the member, by the key of the header. */
export type KeptChoices = ReadonlyMap<string, FileChoices>;

/** Account of a file. `key` identifies it within the file only. */
export interface FileAccount {
  key: string;
  name: string;
  /** Currency of the account, or null if only its rows show it. */
  currency: string | null;
}

/** Shares of a security: one row of positions, or all trades of the security in one account. */
export interface FilePosition {
  /** Lines of the row or of the trades, in the order of the file. */
  lines: readonly number[];
  accountKey: string;
  /** Texts that identify the security, most reliable first: symbols, an ISIN, a CUSIP. May be empty. */
  identifiers: readonly string[];
  /** Text for a search of the security: its name, else a WKN, else the symbol. Never empty. */
  search: string;
  /** Name, code or MIC of the exchange, or null if the file does not say it. */
  exchange: string | null;
  name: string | null;
  quantity: string;
  /** Total amount paid, fees included, or null if the file does not say it. */
  costBasis: string | null;
  /** Whether the file has the cost of one unit, which was multiplied by the quantity. */
  isCostPerUnit: boolean;
  /** Currency of the cost, or null if the file does not say it. */
  currency: string | null;
}

/** Cash of an account in one currency. */
export interface FileCash {
  line: number;
  accountKey: string;
  currency: string;
  amount: string;
}

/** Row or security that is not imported, with the reason. */
export interface SkippedRow {
  /** Line that the reason is about: of the row, or of the trade that sells too much or all. */
  line: number;
  /** All lines of the security, `line` included. */
  lines: readonly number[];
  accountKey: string;
  symbol: string;
  name: string | null;
  reason: Extract<
    LeftOutReason,
    'option' | 'crypto' | 'unsupported' | 'unknown' | 'short' | 'zero' | 'pending' | 'oversold'
  >;
}

/** Cell that cannot be read. The message says what to do. */
export interface FileError {
  line: number;
  /** Header of the column, or null if the whole line is meant. */
  column: string | null;
  message: string;
}

/** First table of a file, for a choice of its columns. */
export interface FileTable {
  /** Equal for files with the same header. */
  key: string;
  /** Texts of the header. Empty if the file has none. */
  header: readonly string[];
  /** Cells of the first five rows. */
  sample: readonly (readonly string[])[];
  /** Meaning of each column. */
  columns: readonly ColumnRole[];
  /** Columns that an import needs and that were not recognised. Nothing is imported while there is one. */
  missing: readonly ColumnRole[];
  /** Whether the columns are a kept choice of the member. */
  hasKeptColumns: boolean;
}

/** What became of a line. `not_imported`: a skipped row, a transaction that makes no holding, or an undecided file. */
export type LineFate = 'imported' | 'cash' | 'not_imported' | 'error' | 'total' | 'header' | 'text';

export interface HoldingsFile {
  format: FileFormat;
  /** Null if the rows do not decide it. Nothing is imported then. */
  kind: FileKind | null;
  table: FileTable;
  /** Rows that were read, also those without holdings. */
  rowCount: number;
  accounts: readonly FileAccount[];
  positions: readonly FilePosition[];
  cash: readonly FileCash[];
  skipped: readonly SkippedRow[];
  errors: readonly FileError[];
  /** Transactions that make no holding. */
  notImported: readonly { line: number; kind: TransactionKind }[];
  /** One fate for each line with text. A record over several lines has the line on which it starts. */
  lines: ReadonlyMap<number, LineFate>;
}

/** Maximum number of rows below a header. Reading stops beyond it. */
export const MAX_IMPORT_ROWS = 10_000;

/** Returns whether more rows were read than one import may have. */
export const hasTooManyRows = ({ rowCount }: { rowCount: number }): boolean => rowCount > MAX_IMPORT_ROWS;

/** Returns a key that is equal for files with the same header: SHA-256 in hexadecimal digits. */
export const readHeaderKey = (header: readonly string[]): string =>
  createHash('sha256')
    .update(header.map((text) => text.trim().toLowerCase()).join('\n'))
    .digest('hex');
