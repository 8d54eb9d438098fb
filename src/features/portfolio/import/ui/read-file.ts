import type { ReadFile } from './file-tables.ts';
import { readWorkbook } from './workbook/read-workbook.ts';

/** Maximum sizes of a file in bytes. UTF-16 needs two bytes for a character, and a workbook is compressed. */
const MAX_TEXT_BYTES = 2 * 1024 * 1024;
const MAX_WORKBOOK_BYTES = 5 * 1024 * 1024;
/** Bytes whose zeros show the encoding. */
const SAMPLED_BYTES = 4096;

const EXPORT_HINT = 'Export a CSV or Excel file from your broker, and choose that file.';

/** Files that hold no table, by their first bytes at an offset. */
const OTHER_FILES: readonly { offset: number; bytes: readonly number[]; message: string }[] = [
  { offset: 0, bytes: [0x25, 0x50, 0x44, 0x46], message: `This is a PDF. ${EXPORT_HINT}` },
  ...[
    { offset: 0, bytes: [0x89, 0x50, 0x4e, 0x47] },
    { offset: 0, bytes: [0xff, 0xd8, 0xff] },
    { offset: 0, bytes: [0x47, 0x49, 0x46, 0x38] },
    { offset: 0, bytes: [0x49, 0x49, 0x2a, 0] },
    { offset: 0, bytes: [0x4d, 0x4d, 0, 0x2a] },
    { offset: 8, bytes: [0x57, 0x45, 0x42, 0x50] },
    { offset: 4, bytes: [0x66, 0x74, 0x79, 0x70] },
  ].map((start) => ({ ...start, message: `This is a picture. ${EXPORT_HINT}` })),
  {
    offset: 0,
    // An encrypted workbook and one of Excel before 2007 are in the same container.
    bytes: [0xd0, 0xcf, 0x11, 0xe0],
    message:
      'This Excel file is old or has a password. Save it as .xlsx or CSV without a password, and choose that file.',
  },
  { offset: 0, bytes: [0x1f, 0x8b], message: 'This file is compressed. Unpack it, and choose the file in it.' },
];
const ZIP_START = [0x50, 0x4b, 3, 4];

/**
 * Reads the tables of a text file in UTF-8, UTF-16 or the encoding of Windows, or of an Excel file. The message says
 * what to do about another file.
 */
export async function readFile(file: File): Promise<ReadFile> {
  const fail = (message: string): ReadFile => ({ ok: false, message });
  if (file.size > MAX_WORKBOOK_BYTES) return fail('The file is too large. Export fewer rows at a time.');
  const buffer = await file.arrayBuffer().catch(() => null);
  if (buffer === null) return fail('The file could not be read. Choose it again.');
  const bytes = new Uint8Array(buffer);
  const startsWith = (start: readonly number[], offset = 0): boolean =>
    start.every((byte, index) => bytes[offset + index] === byte);
  if (startsWith(ZIP_START)) return readWorkbook(buffer);
  const other = OTHER_FILES.find((candidate) => startsWith(candidate.bytes, candidate.offset));
  if (other) return fail(other.message);
  if (file.size > MAX_TEXT_BYTES) return fail('The file is larger than 1 MB. Export fewer rows at a time.');
  const text = decode(bytes);
  if (text.trim() === '') return fail('The file is empty. Choose another file.');
  if (text.includes('\0')) return fail(`This is not a text file. ${EXPORT_HINT}`);
  return { ok: true, tables: [{ name: null, text }] };
}

function decode(bytes: Uint8Array): string {
  const encoding = findUtf16(bytes);
  if (encoding !== undefined) return new TextDecoder(encoding).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Excel on Windows saves CSV files in this encoding by default.
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/**
 * Returns the encoding of UTF-16 by the byte order mark. Without one, most characters of a table have a zero byte: the
 * second in little endian, the first in big endian.
 */
function findUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, SAMPLED_BYTES);
  const isMostlyZero = (parity: 0 | 1): boolean =>
    sample.filter((byte, index) => index % 2 === parity && byte === 0).length > sample.length / 4;
  if (isMostlyZero(0) === isMostlyZero(1)) return undefined;
  return isMostlyZero(1) ? 'utf-16le' : 'utf-16be';
}
