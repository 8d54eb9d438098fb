import { normaliseSymbol } from '../market-data/catalog/normalise-symbol.ts';
import { listingOf } from './exchange-codes.ts';
import { type CsvRecord, readCsv, SEPARATORS } from './read-csv.ts';

/** One entry of a pasted list. `symbol` is absent where the text cannot be one of the catalog. */
interface ImportEntry {
  line: number;
  /** What to show: the symbol, else the text as it was, shortened. */
  shown: string;
  symbol?: string;
  crypto: boolean;
}

/** What the column is called, the surest name first: beside a `symbol`, an `instrument` may be the name. */
const HEADERS = ['symbol', 'ticker', 'ticker symbol', 'stock symbol', 'symbols', 'symbol/isin', 'instrument'];

/**
 * Entries of a pasted list, in order: a CSV with a column `symbol` or the like (other columns are ignored), else every
 * cell of every line. A cell of several tickers (`AAPL msft`) is read as these; a name (`Apple Inc`) is not taken
 * apart. `NASDAQ:AAPL` is read as its listing; `###…` opens a section in TradingView's lists and is passed over.
 */
export const parseImport = (text: string): ImportEntry[] =>
  cellsOf(text)
    .filter(({ cell }) => cell !== '' && !cell.startsWith('###'))
    .map(({ line, cell }) => entryOf(line, cell));

/** Brokers' exports begin with a title, an account, a date. */
const LINES_BEFORE_HEADER = 10;

interface Cell {
  line: number;
  cell: string;
}

/**
 * The cells in which a symbol can stand. A table is split at the one separator that its header uses, since its cells
 * may hold the others: `Name;Symbol` above `Visa, V;V`. A title above the header is passed over; tickers that stand
 * there are not.
 */
function cellsOf(text: string): Cell[] {
  for (const separator of SEPARATORS) {
    const records = readCsv(text, [separator]);
    const at = records
      .slice(0, LINES_BEFORE_HEADER + 1)
      .findIndex(({ cells }) => cells.length > 1 && columnIn(cells) !== -1);
    if (at === -1) continue;
    const header = records[at]!;
    const tickersAbove = readCsv(text).filter(
      ({ line, cells }) =>
        line < header.line && cells.every((cell) => cell === '' || cell.split(/\s+/).every(isTicker)),
    );
    return [...tickersAbove.flatMap(everyCell), ...below(records, at)];
  }
  const records = readCsv(text);
  return columnIn(records[0]?.cells ?? []) === -1 ? records.flatMap(everyCell) : below(records, 0);
}

const everyCell = ({ line, cells }: CsvRecord): Cell[] => cells.flatMap(splitTickers).map((cell) => ({ line, cell }));

/** Of the records below a header, the cells of its symbols. */
function below(records: readonly CsvRecord[], header: number): Cell[] {
  const column = columnIn(records[header]!.cells);
  return records.slice(header + 1).map(({ line, cells }) => ({ line, cell: cells[column] ?? '' }));
}

function columnIn(cells: readonly string[]): number {
  const names = cells.map((cell) => cell.toLowerCase());
  const header = HEADERS.find((name) => names.includes(name));
  return header === undefined ? -1 : names.indexOf(header);
}

const TICKER = /^\$?([A-Z]+:)?([A-Z]{1,5}|[A-Z0-9]*\d[A-Z0-9]*)([./-][A-Z]{1,2})?$/;

const isTicker = (piece: string): boolean =>
  piece.length <= 40 && TICKER.test(piece === piece.toLowerCase() ? piece.toUpperCase() : piece);

function splitTickers(cell: string): string[] {
  const pieces = cell.split(/\s+/);
  return pieces.length > 1 && pieces.every(isTicker) ? pieces : [cell];
}

/** Characters shown of what is no symbol. */
const SHOWN = 64;

function entryOf(line: number, cell: string): ImportEntry {
  const listing = listingOf(cell);
  const symbol = listing.kind === 'listing' ? normaliseSymbol(listing.symbol) : undefined;
  return {
    line,
    shown: symbol ?? [...cell].slice(0, SHOWN).join(''),
    crypto: listing.kind === 'crypto',
    ...(symbol !== undefined && { symbol }),
  };
}
