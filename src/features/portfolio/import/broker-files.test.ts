import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'vitest';
import { assertFates, countOthers, parseFile } from '../../../../test/support/holdings-files.ts';
import type { FileKind } from './contract.ts';
import type { LineFate, SkippedRow } from './holdings-file.ts';

interface ExpectedFile {
  format?: string;
  /** Names and currencies. */
  accounts?: [name: string, currency: string | null][];
  kind: FileKind;
  /** Lines, identifiers or the text to search for, quantity, cost and its currency. */
  positions: [lines: number[], security: string, quantity: string, cost: string | null, currency: string | null][];
  cash?: [line: number, amount: string, currency: string][];
  skipped?: [line: number, symbol: string, reason: SkippedRow['reason']][];
  /** Transactions that make no holding, by kind. */
  others?: Record<string, number>;
  /** Number of lines by their fate. */
  fates: Partial<Record<LineFate, number>>;
  /** Lines that continue the record of the line before. */
  continuedLines?: number[];
}

/** Exports in the shapes that brokers document or members publish, with invented figures. */
const FOLDER = 'test/fixtures/broker-files/';
const files = JSON.parse(readFileSync(`${FOLDER}expected.json`, 'utf8')) as Record<string, ExpectedFile>;

describe('files of brokers', () => {
  test.for(Object.entries(files))('reads %s', ([name, expected]) => {
    const text = readFileSync(FOLDER + name, 'utf8');
    const file = parseFile(text);
    assert.equal(file.kind, expected.kind);
    if (expected.format) assert.equal(file.format, expected.format);
    if (expected.accounts)
      assert.deepEqual(
        file.accounts.map(({ name: account, currency }) => [account, currency]),
        expected.accounts,
      );
    assert.deepEqual(
      file.positions.map(({ lines, identifiers, search, quantity, costBasis, currency }) => [
        lines,
        identifiers.join(' ') || search,
        quantity,
        costBasis,
        currency,
      ]),
      expected.positions,
    );
    assert.deepEqual(
      file.cash.map(({ line, amount, currency }) => [line, amount, currency]),
      expected.cash ?? [],
    );
    assert.deepEqual(
      file.skipped.map(({ line, symbol, reason }) => [line, symbol, reason]),
      expected.skipped ?? [],
    );
    assert.deepEqual(countOthers(file), expected.others ?? {});
    assert.deepEqual(file.errors, []);
    const fates: Partial<Record<LineFate, number>> = {};
    for (const fate of file.lines.values()) fates[fate] = (fates[fate] ?? 0) + 1;
    assert.deepEqual(fates, expected.fates);
    assertFates(text, file, expected.continuedLines);
  });
});
