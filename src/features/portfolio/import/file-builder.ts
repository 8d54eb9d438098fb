import type { TransactionKind } from './contract.ts';
import type { FileAccount, FileCash, FileError, FilePosition, LineFate, SkippedRow } from './holdings-file.ts';

/** Parts of a file while it is read. Every addition gives its lines their fate, so that no line is lost. */
export interface FileBuilder {
  rowCount: number;
  readonly accounts: Map<string, FileAccount>;
  readonly positions: FilePosition[];
  readonly cash: FileCash[];
  readonly skipped: SkippedRow[];
  readonly errors: FileError[];
  readonly notImported: { line: number; kind: TransactionKind }[];
  readonly lines: Map<number, LineFate>;
  addPosition(position: FilePosition): void;
  addCash(cash: FileCash): void;
  addSkipped(row: SkippedRow): void;
  addNotImported(line: number, kind: TransactionKind): void;
  addError(line: number, column: string | null, message: string): void;
  addTotal(line: number): void;
  /** Adds a row of a file whose kind or columns the member must choose. */
  addUndecided(line: number): void;
}

/** Creates a builder in which each of the lines is a header or a text until a table has read it. */
export function createFileBuilder(fileLines: Iterable<number>, headerLines: ReadonlySet<number>): FileBuilder {
  const lines = new Map<number, LineFate>();
  for (const line of fileLines) lines.set(line, headerLines.has(line) ? 'header' : 'text');
  const setFate = (changed: readonly number[], fate: LineFate): void => {
    for (const line of changed) lines.set(line, fate);
  };
  const builder: FileBuilder = {
    rowCount: 0,
    accounts: new Map(),
    positions: [],
    cash: [],
    skipped: [],
    errors: [],
    notImported: [],
    lines,
    addPosition(position) {
      builder.positions.push(position);
      setFate(position.lines, 'imported');
    },
    addCash(cash) {
      builder.cash.push(cash);
      setFate([cash.line], 'cash');
    },
    addSkipped(row) {
      builder.skipped.push(row);
      setFate(row.lines, 'not_imported');
    },
    addNotImported(line, kind) {
      builder.notImported.push({ line, kind });
      setFate([line], 'not_imported');
    },
    addError(line, column, message) {
      builder.errors.push({ line, column, message });
      setFate([line], 'error');
    },
    addTotal(line) {
      setFate([line], 'total');
    },
    addUndecided(line) {
      setFate([line], 'not_imported');
    },
  };
  return builder;
}
