/** A table of a file as CSV. `name` is the sheet of a workbook, or null. */
export interface FileTable {
  name: string | null;
  text: string;
}

/** Tables of a file, or what to do about a file that has none. */
export type ReadFile = { ok: true; tables: readonly FileTable[] } | { ok: false; message: string };
