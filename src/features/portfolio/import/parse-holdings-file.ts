import { type CsvRecord, parseCsv, SEPARATORS } from '../../../platform/http/parse-csv.ts';
import { findHeader, isTransactionsHeader } from './find-header.ts';
import { createFileBuilder, type FileBuilder, type FileFormat, type HoldingsFile } from './holdings-file.ts';
import { ACTIVITY_STATEMENT, readActivityStatement } from './parse-activity-statement.ts';
import { readTables } from './parse-table.ts';

export type ParsedHoldingsFile =
  | { ok: true; file: HoldingsFile }
  | { ok: false; reason: 'not_csv' | 'transactions' | 'no_holdings' };

/** First characters of files that a spreadsheet or a browser saves instead of CSV. */
const OTHER_FILE = /^(?:PK\u0003\u0004|%PDF|\{\\rtf|\s*<(?:!doctype|html|\?xml))|\0/i;

/** Characters in which the header must begin. Exports start with a title, an account or a date. */
const HEAD_LENGTH = 8_000;

/** Longer cells are cut. Patterns that take quadratic time would otherwise block the service on one large cell. */
const MAX_CELL_LENGTH = 250;

/**
 * Parses the CSV export of a broker, the template or another table of holdings. Cells that cannot be read become
 * errors. `transactions` is a list of trades, which does not show what is held.
 */
export function parseHoldingsFile(text: string): ParsedHoldingsFile {
  if (OTHER_FILE.test(text)) return { ok: false, reason: 'not_csv' };
  const builder = createFileBuilder();
  const format = readFile(builder, text);
  if (format) return { ok: true, file: { ...builder, format, accounts: [...builder.accounts.values()] } };
  const head = text.slice(0, HEAD_LENGTH);
  const hasTransactions = SEPARATORS.some((separator) =>
    parseRecords(head, separator).some(({ cells }) => isTransactionsHeader(cells)),
  );
  return { ok: false, reason: hasTransactions ? 'transactions' : 'no_holdings' };
}

/** Reads the rows of the file. Returns its format, or undefined if it has no table of holdings. */
function readFile(builder: FileBuilder, text: string): FileFormat | undefined {
  if (ACTIVITY_STATEMENT.test(text)) {
    readActivityStatement(builder, parseRecords(text, ','));
    return 'interactive_brokers';
  }
  const head = text.slice(0, HEAD_LENGTH);
  const separator = SEPARATORS.find((candidate) =>
    parseRecords(head, candidate).some(({ cells }) => findHeader(cells) !== undefined),
  );
  return separator && readTables(builder, parseRecords(text, separator));
}

const parseRecords = (text: string, separator: string): CsvRecord[] =>
  parseCsv(text, [separator]).map(({ line, cells }) => ({
    line,
    cells: cells.map((cell) => cell.slice(0, MAX_CELL_LENGTH)),
  }));
