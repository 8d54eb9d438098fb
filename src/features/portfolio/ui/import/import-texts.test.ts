import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { ImportRow } from '../../import/contract.ts';
import { describeChanges, describeLeftOut, formatImportLabel, formatLines, summarizePreview } from './import-texts.ts';

const row = (outcome: ImportRow['outcome'], kind: ImportRow['kind'] = 'holding'): ImportRow => ({
  lines: [1],
  account: 'Depot',
  kind,
  symbol: 'AAPL',
  name: null,
  currency: 'USD',
  quantity: 1,
  cost_basis: null,
  cash: null,
  previous: null,
  outcome,
  reason: null,
});

test('describes what an import writes and counts each group', () => {
  const rows = [row('new'), row('changed'), row('changed', 'cash'), row('same'), row('left_out')];
  assert.equal(describeChanges(rows), '2 holdings and 1 cash balance');
  assert.equal(describeChanges([row('new')]), '1 holding');
  assert.equal(formatImportLabel(rows), 'Import 2 holdings and cash');
  assert.equal(formatImportLabel([row('new', 'cash')]), 'Import 1 cash balance');
  assert.equal(describeChanges([row('same'), row('left_out')]), undefined);
  assert.equal(
    summarizePreview({ errors: [{ line: 1, column: null, message: '' }], rows }),
    'Preview: 1 error, 1 new, 2 changed, 1 the same, 1 left out.',
  );
});

test('names what was left out with its reasons, and counts the rest', () => {
  const leftOut: ImportRow = { ...row('left_out'), symbol: 'DOGE', reason: 'crypto' };
  assert.equal(describeLeftOut([row('new'), row('same')]), undefined);
  assert.equal(describeLeftOut([row('new'), leftOut]), 'Left out: DOGE (Crypto is not supported)');
  const cash: ImportRow = { ...row('left_out', 'cash'), symbol: null, reason: 'cash_currency' };
  assert.equal(describeLeftOut([cash]), 'Left out: Cash (The account has another currency)');
  assert.match(describeLeftOut(Array.from({ length: 12 }, () => leftOut))!, / and 2 more$/);
});

test('names one line, several lines and the first five of many', () => {
  assert.equal(formatLines([4]), 'Line 4');
  assert.equal(formatLines([4, 9]), 'Lines 4, 9');
  assert.equal(formatLines([1, 2, 3, 4, 5, 6]), 'Lines 1, 2, 3, 4, 5, …');
});
