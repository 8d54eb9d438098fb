import { strFromU8, type Unzipped, unzipSync, zipSync } from 'fflate';
import readXlsxFile from 'read-excel-file/universal';
import type { FileTable } from '../file-tables.ts';

/** Maximum size in bytes of what is unpacked of a workbook. 10,000 rows of 20 columns have about 8 MB. */
const MAX_UNPACKED_BYTES = 32 * 1024 * 1024;
/** Maximum number of cells of a sheet, those before a filled cell included. */
const MAX_CELLS = 300_000;

export type WorkbookProblem =
  | 'too_large'
  | 'no_table'
  | 'numbers'
  | 'open_document'
  | 'binary'
  | 'no_workbook'
  | 'damaged';

export type ConvertedWorkbook = { ok: true; tables: FileTable[] } | { ok: false; reason: WorkbookProblem };

/** Converts each sheet with a table to CSV. Rows keep their numbers. */
export async function convertWorkbook(buffer: ArrayBuffer): Promise<ConvertedWorkbook> {
  const unpacked = unpack(new Uint8Array(buffer));
  if (!unpacked.ok) return unpacked;
  if (Object.values(unpacked.files).some((file) => countCells(strFromU8(file)) > MAX_CELLS))
    return { ok: false, reason: 'too_large' };
  // The library unpacks large files in workers from blob: addresses, which the content security policy refuses.
  const stored = zipSync(unpacked.files, { level: 0 });
  const sheets = await readXlsxFile(stored.buffer).catch(() => null);
  if (sheets === null) return { ok: false, reason: 'damaged' };
  const tables = sheets
    .map(({ sheet, data }) => ({ name: sheet, rows: data.map((cells) => cells.map(formatCell)) }))
    .filter(({ rows }) => isTable(rows))
    .map(({ name, rows }) => ({ name, text: rows.map((cells) => cells.map(quoteCell).join(',')).join('\n') }));
  return tables.length === 0 ? { ok: false, reason: 'no_table' } : { ok: true, tables };
}

/** Unpacks the XML files of a workbook. Sizes are checked before memory is reserved for them. */
function unpack(bytes: Uint8Array): { ok: true; files: Unzipped } | { ok: false; reason: WorkbookProblem } {
  const names: string[] = [];
  let size = 0;
  let files: Unzipped;
  try {
    files = unzipSync(bytes, {
      filter({ name, originalSize }) {
        names.push(name);
        if (!/\.(?:xml|rels)$/.test(name)) return false;
        size += originalSize;
        return size <= MAX_UNPACKED_BYTES;
      },
    });
  } catch {
    return { ok: false, reason: 'damaged' };
  }
  if (size > MAX_UNPACKED_BYTES) return { ok: false, reason: 'too_large' };
  if (names.includes('xl/workbook.xml')) return { ok: true, files };
  return { ok: false, reason: findContainer(names) };
}

/** Returns what a ZIP archive without a workbook is, by the names of its files. */
function findContainer(names: readonly string[]): WorkbookProblem {
  if (names.some((name) => name.endsWith('.iwa') || name === 'Index.zip')) return 'numbers';
  if (names.includes('content.xml')) return 'open_document';
  if (names.includes('xl/workbook.bin')) return 'binary';
  return 'no_workbook';
}

const FILLED_CELL = /<(?:\w+:)?c\s(?:[^<>]*?\s)?r="([A-Z]{1,3})(\d{1,7})"(?:[^<>]*[^<>/])?>/g;

/** Counts the cells up to the last filled row and column of a sheet. Other XML files have none. */
function countCells(xml: string): number {
  let rows = 0;
  let columns = 0;
  for (const [, letters, row] of xml.matchAll(FILLED_CELL)) {
    rows = Math.max(rows, Number(row));
    columns = Math.max(
      columns,
      [...letters!].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0),
    );
  }
  return rows * columns;
}

type Cell = Awaited<ReturnType<typeof readXlsxFile>>[number]['data'][number][number];

const numberFormat = new Intl.NumberFormat('en-US', { useGrouping: false, maximumFractionDigits: 20 });

/** Formats a cell as text that has one reading. */
function formatCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') {
    const text = numberFormat.format(cell);
    // Three decimals could be read as thousands.
    return /\.\d{3}$/.test(text) ? `${text}0` : text;
  }
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE';
  // A line break would give the rows below other numbers.
  if (typeof cell === 'string') return cell.replaceAll(/\s+/g, ' ');
  // The library's types name the constructor of dates instead of a date.
  return (cell as unknown as Date).toISOString().replace(/T00:00:00\.000Z$|\.\d{3}Z$/, '');
}

const quoteCell = (text: string): string => (/[",;\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Returns whether rows can hold a table: a header and a row below it. */
const isTable = (rows: readonly (readonly string[])[]): boolean =>
  rows.filter((cells) => cells.filter((text) => text !== '').length >= 2).length >= 2;
