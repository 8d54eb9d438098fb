import assert from 'node:assert/strict';
import type { ColumnRole, FileKind } from '../../src/features/portfolio/import/contract.ts';
import type { HoldingsFile, LineFate } from '../../src/features/portfolio/import/holdings-file.ts';
import { parseHoldingsFile } from '../../src/features/portfolio/import/parse-holdings-file.ts';

/** Parses a file that has a table. */
export function parseFile(
  text: string,
  choices: { kind?: FileKind; columns?: readonly ColumnRole[] } = {},
): HoldingsFile {
  const parsed = parseHoldingsFile(text, { kind: choices.kind ?? null, columns: choices.columns ?? null });
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return parsed.file;
}

/** Asserts that every line with text has one fate, and that what the file lists explains it. */
export function assertFates(text: string, file: HoldingsFile, continuedLines: readonly number[] = []): void {
  const lines = text.split(/\r\n?|\n/);
  const withText = [...lines.keys()].filter((index) => /[^\s,;"\uFEFF]/.test(lines[index]!)).map((index) => index + 1);
  const expected = withText.filter((line) => !continuedLines.includes(line));
  assert.deepEqual([...file.lines.keys()], expected, 'each line with text is counted once');
  const listLines = (fate: LineFate): number[] =>
    [...file.lines].filter(([, other]) => other === fate).map(([line]) => line);
  const sort = (numbers: readonly number[]): number[] => [...new Set(numbers)].toSorted((a, b) => a - b);
  assert.deepEqual(listLines('imported'), sort(file.positions.flatMap((position) => position.lines)));
  assert.deepEqual(listLines('cash'), sort(file.cash.map(({ line }) => line)));
  assert.deepEqual(listLines('error'), sort(file.errors.map(({ line }) => line)));
  const isUndecided = file.kind === null || file.table.missing.length > 0;
  const leftOut = [...file.skipped.flatMap((row) => row.lines), ...file.notImported.map(({ line }) => line)];
  if (!isUndecided) assert.deepEqual(listLines('not_imported'), sort(leftOut));
}

/** Counts the transactions that make no holding by kind. */
export function countOthers({ notImported }: HoldingsFile): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of notImported) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
