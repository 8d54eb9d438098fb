import { toIsin } from '../../market-data/domain/bond-identifier.ts';
import { toPlainText, parseListing } from '../../market-data/domain/normalise-symbol.ts';
import { type Columns, parseHeader } from './import-headers.ts';
import { type CsvRecord, parseCsv, SEPARATORS } from './parse-csv.ts';

/** One entry of a pasted list. `symbol` is absent where the text cannot be one of the catalog. */
interface ImportEntry {
  line: number;
  /** What to show: the symbol, else the text as it was, shortened. */
  displayText: string;
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
  extractCells(text)
    .filter(({ cell }) => cell !== '' && !cell.startsWith('###'))
    .map(({ line, cell }) => toImportEntry(line, cell));

/** Brokers' exports begin with a title, an account, a date. */
const MAX_LINES_BEFORE_HEADER = 10;

interface Cell {
  line: number;
  cell: string;
}

/**
 * The cells in which a symbol can stand. A table is split at the one separator that its header uses, since its cells
 * may hold the others: `Name;Symbol` above `Visa, V;V`. A title above the header is passed over; tickers that stand
 * there are not.
 */
function extractCells(text: string): Cell[] {
  for (const separator of SEPARATORS) {
    const records = parseCsv(text, [separator]);
    const headerIndex = records
      .slice(0, MAX_LINES_BEFORE_HEADER + 1)
      .findIndex(({ cells }) => cells.length > 1 && parseHeader(cells) !== undefined);
    if (headerIndex === -1) continue;
    const header = records[headerIndex]!;
    const tickersAbove = parseCsv(text).filter(
      ({ line, cells }) =>
        line < header.line && cells.every((cell) => cell === '' || cell.split(/\s+/).every(isTicker)),
    );
    return [
      ...tickersAbove.flatMap(extractLineCells),
      ...extractColumnCells(records.slice(headerIndex + 1), parseHeader(header.cells)!),
    ];
  }
  const records = parseCsv(text);
  const columns = parseHeader(records[0]?.cells ?? []);
  return columns ? extractColumnCells(records.slice(1), columns) : records.flatMap(extractLineCells);
}

/** A quantity, a price or a date: digits without a letter, which no ticker is. */
const isFigure = (cell: string): boolean =>
  cell.length <= 40 && /^[^\p{L}]*\d[^\p{L}]*$/u.test(cell) && toIsin(cell) === undefined;
const CURRENCY = /^(USD|EUR|GBP|GBX|CHF|JPY|CAD|AUD|NZD|HKD|SGD|CNY|INR|SEK|NOK|DKK|PLN|BRL|MXN|ZAR|KRW)$/;

/** The cells of a line that belongs to no table; figures and their currency count only where nothing else is there. */
function extractLineCells({ line, cells }: CsvRecord): Cell[] {
  const candidates = cells.flatMap(splitTickers).filter((cell) => cell !== '');
  const hasFigures = candidates.some(isFigure);
  const filteredCandidates = hasFigures
    ? candidates.filter((cell) => !isFigure(cell) && !CURRENCY.test(cell))
    : candidates;
  return (filteredCandidates.length > 0 ? filteredCandidates : candidates).map((cell) => ({ line, cell }));
}

/** Of the records below a header, the cells of its symbols, else of its ISINs. */
const extractColumnCells = (records: readonly CsvRecord[], { symbol, isin }: Columns): Cell[] =>
  records.map(({ line, cells }) => ({ line, cell: cells[symbol] || cells[isin] || '' }));

const TICKER = /^\$?([A-Z]+:)?([A-Z]{1,5}|[A-Z0-9]*\d[A-Z0-9]*)([./-][A-Z]{1,2})?(:[A-Z]{2,8}| [A-C])?$/;

const isTicker = (word: string): boolean =>
  word.length <= 40 && TICKER.test(word === word.toLowerCase() ? word.toUpperCase() : word);

/** Bloomberg's way to name one listing: `BRK/B US Equity`. */
const BLOOMBERG_LISTING = /^\S+( [A-Z])?( [A-Z]{2} Equity| US)$/i;
/** A ticker and the class behind it, both in capitals or neither: a class is no ticker of its own. */
const TICKER_WITH_CLASS = /(?<=^| )(\$?[A-Z]{2,5} [A-C]|\$?[a-z]{2,5} [a-c])(?= |$)|\S+/g;

function splitTickers(cell: string): string[] {
  const typed = toPlainText(cell);
  if (BLOOMBERG_LISTING.test(typed)) return [cell];
  const words = typed.match(TICKER_WITH_CLASS) ?? [];
  return words.length > 1 && words.every((word) => isTicker(word) || isFigure(word)) ? words : [cell];
}

/** Characters shown of what is no symbol. */
const MAX_DISPLAY_LENGTH = 64;

function toImportEntry(line: number, cell: string): ImportEntry {
  const listing = isFigure(cell) ? ({ kind: 'unknown' } as const) : parseListing(cell);
  const symbol = listing.kind === 'listing' ? listing.symbol : undefined;
  return {
    line,
    displayText: symbol ?? [...cell].slice(0, MAX_DISPLAY_LENGTH).join(''),
    crypto: listing.kind === 'crypto',
    ...(symbol !== undefined && { symbol }),
  };
}
