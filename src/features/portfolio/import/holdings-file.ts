/** A file of holdings as its parser understands it. Amounts are exact decimal numbers in digits. */

/** Format by its header. `table`: any table with columns of symbols and quantities. */
export type FileFormat = 'template' | 'schwab' | 'fidelity' | 'vanguard' | 'interactive_brokers' | 'degiro' | 'table';

/** Account of a file. `key` identifies it within the file only. */
export interface FileAccount {
  key: string;
  name: string;
  /** Currency of the account, or null if only its rows show it. */
  currency: string | null;
}

/** One row with shares of a security. */
export interface FilePosition {
  line: number;
  accountKey: string;
  /** Texts that identify the security, most reliable first: symbols, an ISIN, a CUSIP. */
  identifiers: readonly string[];
  name: string | null;
  quantity: string;
  /** Total amount paid, or null if the file does not say it. */
  costBasis: string | null;
  /** Whether the file has the cost of one unit, which was multiplied by the quantity. */
  isCostPerUnit: boolean;
  /** Currency of the cost, or null if the file does not say it. */
  currency: string | null;
}

/** Cash of an account in one currency. */
interface FileCash {
  line: number;
  accountKey: string;
  currency: string;
  amount: string;
}

/** Row that is no security of Tally, with the reason. */
export interface SkippedRow {
  line: number;
  accountKey: string;
  symbol: string;
  name: string | null;
  reason: 'option' | 'crypto' | 'unsupported' | 'unknown' | 'short' | 'zero' | 'pending';
}

/** Cell that cannot be read. The message says what to do. */
interface FileError {
  line: number;
  /** Header of the column, or null if the whole line is meant. */
  column: string | null;
  message: string;
}

export interface HoldingsFile {
  format: FileFormat;
  /** Rows that were read, also those without holdings. */
  rowCount: number;
  accounts: readonly FileAccount[];
  positions: readonly FilePosition[];
  cash: readonly FileCash[];
  skipped: readonly SkippedRow[];
  errors: readonly FileError[];
}

/** Mutable parts of a file while it is read. */
export interface FileBuilder {
  rowCount: number;
  accounts: Map<string, FileAccount>;
  positions: FilePosition[];
  cash: FileCash[];
  skipped: SkippedRow[];
  errors: FileError[];
}

/** Maximum number of rows below a header. Reading stops beyond it. */
export const MAX_IMPORT_ROWS = 2000;

/** Returns whether more rows were read than one import may have. */
export const hasTooManyRows = ({ rowCount }: { rowCount: number }): boolean => rowCount > MAX_IMPORT_ROWS;

export const createFileBuilder = (): FileBuilder => ({
  rowCount: 0,
  accounts: new Map(),
  positions: [],
  cash: [],
  skipped: [],
  errors: [],
});
