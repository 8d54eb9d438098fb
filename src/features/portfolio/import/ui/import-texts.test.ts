import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { ImportResponse, ImportRow } from '../contract.ts';
import {
  describeChanges,
  describeLeftOut,
  describeLines,
  describeNotImported,
  describeOpenQuestion,
  formatImportLabel,
  formatLines,
  summarizePreview,
} from './import-texts.ts';

const row = (outcome: ImportRow['outcome'], kind: ImportRow['kind'] = 'holding'): ImportRow => ({
  lines: [1],
  account: 'Depot',
  kind,
  symbol: 'AAPL',
  name: null,
  search: null,
  currency: 'USD',
  quantity: 1,
  cost_basis: null,
  cash: null,
  previous: null,
  outcome,
  reason: null,
});

const lines = { total: 6, imported: 4, cash: 0, not_imported: 0, errors: 0, totals: 0, headers: 1, texts: 1 };
const preview = (rows: ImportRow[], changed: Partial<ImportResponse> = {}): ImportResponse => ({
  format: 'table',
  kind: 'positions',
  table: { header_id: '', header: [], sample: [], columns: [], missing: [], is_kept: false },
  lines,
  not_imported: [],
  plan: '',
  errors: [],
  accounts: [],
  rows,
  import_id: null,
  ...changed,
});

test('describes what an import writes and counts each group', () => {
  const rows = [row('new'), row('changed'), row('changed', 'cash'), row('same'), row('left_out')];
  assert.equal(describeChanges(rows), '2 holdings and 1 cash balance');
  assert.equal(describeChanges([row('new')]), '1 holding');
  assert.equal(formatImportLabel(rows), 'Import 2 holdings and cash');
  assert.equal(formatImportLabel([row('new', 'cash')]), 'Import 1 cash balance');
  assert.equal(describeChanges([row('same'), row('left_out')]), undefined);
  assert.equal(
    summarizePreview(preview(rows, { errors: [{ line: 1, column: null, message: '' }] })),
    'Preview: 1 error, 1 new, 2 changed, 1 the same, 1 will not be imported. 5 lines: 4 will be imported, 1 title or note.',
  );
});

test('counts what was left out with its reasons', () => {
  const leftOut: ImportRow = { ...row('left_out'), symbol: 'DOGE', reason: 'crypto' };
  assert.equal(describeLeftOut([row('new'), row('same')]), undefined);
  assert.equal(describeLeftOut([row('new'), leftOut]), 'Not imported: DOGE (Crypto is not supported)');
  const cash: ImportRow = { ...row('left_out', 'cash'), symbol: null, reason: 'cash_currency' };
  assert.equal(describeLeftOut([cash]), 'Not imported: Cash (The account has another currency)');
  assert.match(describeLeftOut(Array.from({ length: 12 }, () => leftOut))!, / and 2 more$/);
});

test('names one line, several lines and the first five of many', () => {
  assert.equal(formatLines([4]), 'Line 4');
  assert.equal(formatLines([4, 9]), 'Lines 4, 9');
  assert.equal(formatLines([1, 2, 3, 4, 5, 6]), 'Lines 1, 2, 3, 4, 5, …');
});

test('counts what became of each line', () => {
  assert.equal(
    describeLines({ total: 15, imported: 8, cash: 1, not_imported: 2, errors: 0, totals: 1, headers: 1, texts: 2 }),
    '14 lines: 8 will be imported, 1 cash, 2 will not be imported, 1 total, 2 titles or notes',
  );
  assert.equal(
    describeLines({ total: 1, imported: 0, cash: 0, not_imported: 0, errors: 1, totals: 0, headers: 0, texts: 0 }),
    '1 line: 1 error',
  );
});

test('counts the transactions that make no holding by kind', () => {
  assert.equal(describeNotImported([]), undefined);
  assert.equal(
    describeNotImported([
      { kind: 'dividend', lines: [4, 9] },
      { kind: 'deposit', lines: [2] },
      { kind: 'tax', lines: [5, 6] },
    ]),
    '2 dividends, 1 deposit, 2 taxes',
  );
});

test('asks what the file lists first, and for missing columns after that', () => {
  const table = { ...preview([]).table, missing: ['symbol', 'quantity'] } satisfies ImportResponse['table'];
  assert.equal(describeOpenQuestion({ kind: null, table }), 'Choose what the file lists.');
  assert.equal(
    describeOpenQuestion({ kind: 'positions', table }),
    'Choose the columns: Symbol, ISIN or name; Quantity.',
  );
  assert.equal(
    describeOpenQuestion({ kind: 'positions', table: { ...table, missing: ['date'] } }),
    'Choose the column: Date.',
  );
  assert.equal(describeOpenQuestion(preview([])), undefined);
  assert.equal(summarizePreview(preview([], { kind: null })), 'Preview: Choose what the file lists.');
});

test('says how many lines have no known security', () => {
  const unknown: ImportRow = { ...row('left_out'), search: 'APPLE INC.', reason: 'unknown' };
  assert.match(
    summarizePreview(preview([unknown])),
    /1 will not be imported\. 1 line without a known security\. 5 lines:/,
  );
});
