import { toIsin } from '../../market-data/domain/bond-identifier.ts';
import { toPlainText, parseListing } from '../../market-data/domain/normalize-symbol.ts';
import { type Columns, parseHeader } from './import-headers.ts';
import { type CsvRecord, parseCsv, SEPARATORS } from '../../platform/http/parse-csv.ts';

/** One entry of a pasted list. `symbol` is absent if the text cannot be a catalog symbol. */
interface ImportEntry {
  line: number;
  /** Text to show: the symbol, or else the shortened original text. */
  displayText: string;
  symbol?: string;
  crypto: boolean;
}

/**
 * Returns the entries of a pasted list, in order. In a table with a ticker column, the other columns are ignored.
 * Otherwise every cell is read, except figures next to a ticker. A cell with several tickers (`AAPL msft`) is split. A
 * name (`Apple Inc`) and a share class (`BRK B`) are not split. A `###…` section of TradingView lists is skipped.
 */
export const parseImport = (text: string): ImportEntry[] =>
  extractCells(text)
    .filter(({ cell }) => cell !== '' && !cell.startsWith('###'))
    .map(({ line, cell }) => toImportEntry(line, cell));

/** Maximum lines before the header. Brokers' exports start with a title, an account or a date. */
const MAX_LINES_BEFORE_HEADER = 10;

interface Cell {
  line: number;
  cell: string;
}

/**
 * Returns the cells that may contain a symbol. A table is split only at its header's separator, because cells may
 * contain other separators: `Name;Symbol` above `Visa, V;V`. A title above the header is skipped. Tickers above the
 * header are kept.
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

/** Returns whether a cell is a quantity, a price or a date: digits without a letter. No ticker has this form. */
const isFigure = (cell: string): boolean =>
  cell.length <= 40 && /^[^\p{L}]*\d[^\p{L}]*$/u.test(cell) && toIsin(cell) === undefined;
const CURRENCY = /^(USD|EUR|GBP|GBX|CHF|JPY|CAD|AUD|NZD|HKD|SGD|CNY|INR|SEK|NOK|DKK|PLN|BRL|MXN|ZAR|KRW)$/;

/**
 * Returns the cells of a line outside a table. Figures and their currency are used only if the line has no other cells.
 */
function extractLineCells({ line, cells }: CsvRecord): Cell[] {
  const candidates = cells.flatMap(splitTickers).filter((cell) => cell !== '');
  const hasFigures = candidates.some(isFigure);
  const filteredCandidates = hasFigures
    ? candidates.filter((cell) => !isFigure(cell) && !CURRENCY.test(cell))
    : candidates;
  return (filteredCandidates.length > 0 ? filteredCandidates : candidates).map((cell) => ({ line, cell }));
}

/** Returns the symbol cells of the records below a header, or else their ISIN cells. */
const extractColumnCells = (records: readonly CsvRecord[], { symbol, isin }: Columns): Cell[] =>
  records.map(({ line, cells }) => ({ line, cell: cells[symbol] || cells[isin] || '' }));

const TICKER = /^\$?([A-Z]+:)?([A-Z]{1,5}|[A-Z0-9]*\d[A-Z0-9]*)([./-][A-Z]{1,2})?(:[A-Z]{2,8}| [A-C])?$/;

const isTicker = (word: string): boolean =>
  word.length <= 40 && TICKER.test(word === word.toLowerCase() ? word.toUpperCase() : word);

/** Matches a listing in Bloomberg's notation: `BRK/B US Equity`. */
const BLOOMBERG_LISTING = /^\S+( [A-Z])?( [A-Z]{2} Equity| US)$/i;
/**
 * Matches a ticker followed by its share class. Both are upper case, or both lower case. A class is not a separate
 * ticker.
 */
const TICKER_WITH_CLASS = /(?<=^| )(\$?[A-Z]{2,5} [A-C]|\$?[a-z]{2,5} [a-c])(?= |$)|\S+/g;

function splitTickers(cell: string): string[] {
  const typed = toPlainText(cell);
  if (BLOOMBERG_LISTING.test(typed)) return [cell];
  const words = typed.match(TICKER_WITH_CLASS) ?? [];
  return words.length > 1 && words.every((word) => isTicker(word) || isFigure(word)) ? words : [cell];
}

/** Maximum characters shown of a text that is not a symbol. */
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
