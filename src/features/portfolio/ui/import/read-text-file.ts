/** Maximum size of a file in bytes. UTF-16 needs two bytes for a character. */
const MAX_FILE_BYTES = 2 * 1024 * 1024;

export type ReadFile = { ok: true; text: string } | { ok: false; message: string };

/** Reads a text file in UTF-8, UTF-16 or the encoding of Windows. The message says what to do about another file. */
export async function readTextFile(file: File): Promise<ReadFile> {
  if (file.size > MAX_FILE_BYTES) return { ok: false, message: 'The file is larger than 1 MB. Export positions only.' };
  const buffer = await file.arrayBuffer().catch(() => null);
  if (buffer === null) return { ok: false, message: 'The file could not be read. Choose it again.' };
  const bytes = new Uint8Array(buffer);
  if (bytes[0] === 0x50 && bytes[1] === 0x4b)
    return { ok: false, message: 'This is a workbook. Open it in a spreadsheet, save it as CSV and choose that file.' };
  const text = decode(bytes);
  return text.trim() === '' ? { ok: false, message: 'The file is empty. Choose another file.' } : { ok: true, text };
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

/** Returns the encoding of UTF-16 by the byte order mark, or by the zero byte of the first character. */
function findUtf16([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be';
  return undefined;
}
