import assert from 'node:assert/strict';
import { test } from 'vitest';
import { formatList } from './format-list.ts';

test('joins the last two parts by "and" without a comma', () => {
  assert.deepEqual([[], ['A'], ['A', 'B'], ['A', 'B', 'C']].map(formatList), ['', 'A', 'A and B', 'A, B and C']);
});
