/** Sends a parsed file between threads in pieces, since receiving all of it would keep the service from other work. */
import { setImmediate } from 'node:timers/promises';
import type { HoldingsFile, LineFate } from './holdings-file.ts';
import type { ParsedHoldingsFile } from './parse-holdings-file.ts';

const ENTRIES_OF_PIECE = 500;

/** Fields of a file with up to an entry for each row. */
type ListField = 'positions' | 'cash' | 'skipped' | 'errors' | 'notImported';
type Lists = { [Field in ListField]: HoldingsFile[Field][number][] } & { lines: [line: number, fate: LineFate][] };

/** The file without its lists, then parts of these. `isLast` ends it. */
export type ParsedPiece =
  | { parsed: ParsedHoldingsFile; isLast: boolean }
  | { field: keyof Lists; entries: unknown[]; isLast: boolean };

/** Yields the pieces of a parsed file. */
export function* splitParsedFile(parsed: ParsedHoldingsFile): Generator<ParsedPiece, undefined> {
  if (!parsed.ok) {
    yield { parsed, isLast: true };
    return undefined;
  }
  const { file } = parsed;
  const lists: Lists = {
    positions: [...file.positions],
    cash: [...file.cash],
    skipped: [...file.skipped],
    errors: [...file.errors],
    notImported: [...file.notImported],
    lines: [...file.lines],
  };
  const emptyLists = { positions: [], cash: [], skipped: [], errors: [], notImported: [], lines: new Map() };
  yield { parsed: { ...parsed, file: { ...file, ...emptyLists } }, isLast: false };
  for (const [field, entries] of Object.entries(lists))
    for (let start = 0; start < entries.length; start += ENTRIES_OF_PIECE)
      yield { field: field as keyof Lists, entries: entries.slice(start, start + ENTRIES_OF_PIECE), isLast: false };
  yield { field: 'lines', entries: [], isLast: true };
  return undefined;
}

/** Joins the pieces of a parsed file. Other work of the process runs between two of them. */
export async function joinParsedFile(receive: () => Promise<ParsedPiece>): Promise<ParsedHoldingsFile> {
  const first = await receive();
  if (!('parsed' in first)) throw new Error('The first piece of a parsed file has its lists only.');
  if (first.isLast || !first.parsed.ok) return first.parsed;
  const lists: Lists = { positions: [], cash: [], skipped: [], errors: [], notImported: [], lines: [] };
  for (let isLast = false; !isLast;) {
    await setImmediate();
    const piece = await receive();
    if ('parsed' in piece) throw new Error('Two files were received as one.');
    lists[piece.field].push(...(piece.entries as never[]));
    isLast = piece.isLast;
  }
  return { ...first.parsed, file: { ...first.parsed.file, ...lists, lines: new Map(lists.lines) } };
}
