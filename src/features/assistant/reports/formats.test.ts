import assert from 'node:assert/strict';
import { test } from 'vitest';
import { formatQuantity, formatPrice } from './formats.ts';

test('formats quantities with all digits and prices below one with four', () => {
  assert.equal(formatQuantity(0.01525217), '0.01525217');
  assert.equal(formatQuantity(0.0000001234), '0.0000001234');
  assert.equal(formatPrice(0.0004, 'USD'), '$0.0004');
  assert.equal(formatPrice(0.0004, null), '0.0004');
  assert.equal(formatPrice(0.5, 'USD'), '$0.50');
  assert.equal(formatPrice(1234.5, 'USD'), '$1,234.50');
});
