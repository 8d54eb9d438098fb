import assert from 'node:assert/strict';
import { test } from 'vitest';
import { moveEntry } from './move-entry.ts';

test('moves a card by one and stops at the ends', () => {
  assert.deepEqual(moveEntry(['a', 'b', 'c'], 'b', 1), ['a', 'c', 'b']);
  assert.deepEqual(moveEntry(['a', 'b', 'c'], 'a', -1), ['a', 'b', 'c']);
  assert.deepEqual(moveEntry(['a', 'b', 'c'], 'c', 9), ['a', 'b', 'c']);
  assert.deepEqual(moveEntry(['a', 'b'], 'x', 1), ['a', 'b']);
});
