import assert from 'node:assert/strict';
import { test } from 'vitest';
import { formatCell, formatCount, formatUnsignedChange } from './formats.ts';

test('formats a change without sign and a missing cell as a dash', () => {
  assert.deepEqual([2.216, -2.38, 0].map(formatUnsignedChange), ['2.22%', '2.38%', '0.00%']);
  assert.deepEqual([formatCell(2, String), formatCell(null, String)], ['2', '–']);
});

test('formats counts as words', () => {
  assert.deepEqual([formatCount(1, 'row'), formatCount(1234, 'row')], ['1 row', '1,234 rows']);
});
