import assert from 'node:assert/strict';
import { test } from 'vitest';
import { amount, price } from './phrases.ts';

test('a report writes quantities with all their digits, and prices below one with four', () => {
  assert.equal(amount(0.01525217), '0.01525217');
  assert.equal(amount(0.0000001234), '0.0000001234');
  assert.equal(price(0.0004, 'USD'), '$0.0004');
  assert.equal(price(0.0004, null), '0.0004');
  assert.equal(price(0.5, 'USD'), '$0.50');
  assert.equal(price(1234.5, 'USD'), '$1,234.50');
});
