import { normaliseSymbol } from '../market-data/normalise-symbol.ts';
import { listingOf } from './exchange-codes.ts';
import type { CsvRecord } from './read-csv.ts';
import { readCsv, SEPARATORS } from './read-csv.ts';

/** One entry of a pasted list. `symbol` is absent where the text cannot be one of the catalog. */
export interface ImportEntry {
  line: number;
  /** What to show: the symbol, else the text as it was, shortened. */
  shown: string;
  symbol?: string;
  crypto: boolean;
}

const HEADERS = new Set(['symbol', 'ticker', 'ticker symbol']);

/**
 * Entries of a pasted list, in order: a CSV with a column `symbol` (other columns are ignored), else every cell of every line.
 * A cell of several tickers (`AAPL msft`) is read as these; a name (`Apple Inc`) is not taken apart.
 * `NASDAQ:AAPL` is read as its listing; `###…` opens a section in TradingView's lists and is passed over.
 */
export function parseImport(text: string): ImportEntry[] {
  const { records, column } = readTable(text);
  const cells =
    column === -1
      ? records.flatMap(({ line, cells: all }) => all.flatMap(splitTickers).map((cell) => ({ line, cell })))
      : records.slice(1).map(({ line, cells: all }) => ({ line, cell: all[column] ?? '' }));
  return cells.filter(({ cell }) => cell !== '' && !cell.startsWith('###')).map(({ line, cell }) => entryOf(line, cell));
}

/**
 * The records, and where among their cells the symbol stands (-1: there is no header). A table is split at the one separator that its header
 * uses, since its cells may hold the others: `Name;Symbol` above `Visa, V;V`.
 */
function readTable(text: string): { records: CsvRecord[]; column: number } {
  for (const separator of SEPARATORS) {
    const table = withColumn(readCsv(text, [separator]));
    if (table.column !== -1 && table.records[0]!.cells.length > 1) return table;
  }
  return withColumn(readCsv(text));
}

const withColumn = (records: CsvRecord[]) => ({ records, column: records[0]?.cells.findIndex((cell) => HEADERS.has(cell.toLowerCase())) ?? -1 });

const TICKER = /^\$?([A-Z]+:)?([A-Z]{1,5}|[A-Z0-9]*\d[A-Z0-9]*)([./-][A-Z]{1,2})?$/;

function splitTickers(cell: string): string[] {
  const pieces = cell.split(/\s+/);
  const isTicker = (piece: string): boolean => piece.length <= 40 && TICKER.test(piece === piece.toLowerCase() ? piece.toUpperCase() : piece);
  return pieces.length > 1 && pieces.every(isTicker) ? pieces : [cell];
}

function entryOf(line: number, cell: string): ImportEntry {
  const listing = listingOf(cell);
  const symbol = listing.kind === 'listing' ? normaliseSymbol(listing.symbol) : undefined;
  return { line, shown: symbol ?? cell.slice(0, 64), crypto: listing.kind === 'crypto', ...(symbol !== undefined && { symbol }) };
}
