import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatQuantity } from './quantity.ts';

test('quantities keep what is owned', () => {
  assert.equal(formatQuantity(120.348), '120.348');
  assert.equal(formatQuantity(5000), '5,000');
  assert.notEqual(formatQuantity(0.00001), '0');
});
