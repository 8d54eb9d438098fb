import assert from 'node:assert/strict';
import { test } from 'vitest';
import { formatCell, formatUnsignedChange } from './formats.ts';

test('formats a change without sign and a missing cell as a dash', () => {
  assert.deepEqual([2.216, -2.38, 0].map(formatUnsignedChange), ['2.22%', '2.38%', '0.00%']);
  assert.deepEqual([formatCell(2, String), formatCell(null, String)], ['2', '–']);
});
