import { isinOf } from '../../market-data/domain/bond-identifier.ts';
import { plainTyped, readListing } from '../../market-data/domain/normalise-symbol.ts';
import { type Columns, readHeader } from './import-headers.ts';
import { type CsvRecord, readCsv, SEPARATORS } from './read-csv.ts';

/** One entry of a pasted list. `symbol` is absent where the text cannot be one of the catalog. */
interface ImportEntry {
  line: number;
  /** What to show: the symbol, else the text as it was, shortened. */
  shown: string;
  symbol?: string;
  crypto: boolean;
}

/**
 * Entries of a pasted list, in order: a table with a column of tickers (other columns are ignored), else every cell of
 * every line but figures beside a ticker. A cell of several tickers (`AAPL msft`) is read as these; a name
 * (`Apple Inc`) and a class of shares (`BRK B`) are not taken apart. `###…` opens a section in TradingView's lists and
 * is passed over.
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
      .findIndex(({ cells }) => cells.length > 1 && readHeader(cells) !== undefined);
    if (at === -1) continue;
    const header = records[at]!;
    const tickersAbove = readCsv(text).filter(
      ({ line, cells }) =>
        line < header.line && cells.every((cell) => cell === '' || cell.split(/\s+/).every(isTicker)),
    );
    return [...tickersAbove.flatMap(everyCell), ...below(records.slice(at + 1), readHeader(header.cells)!)];
  }
  const records = readCsv(text);
  const columns = readHeader(records[0]?.cells ?? []);
  return columns ? below(records.slice(1), columns) : records.flatMap(everyCell);
}

/** A quantity, a price or a date: digits without a letter, which no ticker is. */
const isFigure = (cell: string): boolean =>
  cell.length <= 40 && /^[^\p{L}]*\d[^\p{L}]*$/u.test(cell) && isinOf(cell) === undefined;
const CURRENCY = /^(USD|EUR|GBP|GBX|CHF|JPY|CAD|AUD|NZD|HKD|SGD|CNY|INR|SEK|NOK|DKK|PLN|BRL|MXN|ZAR|KRW)$/;

/** The cells of a line that belongs to no table; figures and their currency count only where nothing else is there. */
function everyCell({ line, cells }: CsvRecord): Cell[] {
  const pieces = cells.flatMap(splitTickers).filter((cell) => cell !== '');
  const hasFigures = pieces.some(isFigure);
  const others = hasFigures ? pieces.filter((cell) => !isFigure(cell) && !CURRENCY.test(cell)) : pieces;
  return (others.length > 0 ? others : pieces).map((cell) => ({ line, cell }));
}

/** Of the records below a header, the cells of its symbols, else of its ISINs. */
const below = (records: readonly CsvRecord[], { symbol, isin }: Columns): Cell[] =>
  records.map(({ line, cells }) => ({ line, cell: cells[symbol] || cells[isin] || '' }));

const TICKER = /^\$?([A-Z]+:)?([A-Z]{1,5}|[A-Z0-9]*\d[A-Z0-9]*)([./-][A-Z]{1,2})?(:[A-Z]{2,8}| [A-C])?$/;

const isTicker = (piece: string): boolean =>
  piece.length <= 40 && TICKER.test(piece === piece.toLowerCase() ? piece.toUpperCase() : piece);

/** Bloomberg's way to name one listing: `BRK/B US Equity`. */
const ONE_LISTING = /^\S+( [A-Z])?( [A-Z]{2} Equity| US)$/i;
/** A ticker and the class behind it, both in capitals or neither: a class is no ticker of its own. */
const CLASS_BEHIND = /(?<=^| )(\$?[A-Z]{2,5} [A-C]|\$?[a-z]{2,5} [a-c])(?= |$)|\S+/g;

function splitTickers(cell: string): string[] {
  const typed = plainTyped(cell);
  if (ONE_LISTING.test(typed)) return [cell];
  const pieces = typed.match(CLASS_BEHIND) ?? [];
  return pieces.length > 1 && pieces.every((piece) => isTicker(piece) || isFigure(piece)) ? pieces : [cell];
}

/** Characters shown of what is no symbol. */
const SHOWN = 64;

function entryOf(line: number, cell: string): ImportEntry {
  const listing = isFigure(cell) ? ({ kind: 'unknown' } as const) : readListing(cell);
  const symbol = listing.kind === 'listing' ? listing.symbol : undefined;
  return {
    line,
    shown: symbol ?? [...cell].slice(0, SHOWN).join(''),
    crypto: listing.kind === 'crypto',
    ...(symbol !== undefined && { symbol }),
  };
}
