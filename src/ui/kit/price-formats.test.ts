import assert from 'node:assert/strict';
import { test } from 'vitest';
import { formatPrice, formatPriceChange, formatQuantity } from './price-formats.ts';

const usd = { currency: 'USD', price_unit: 'currency' } as const;

test('formats a price in its currency and a bond in percent of par', () => {
  assert.equal(formatPrice(1232.5, usd), '$1,232.50');
  assert.equal(formatPrice(12.4, { currency: 'GBP', price_unit: 'currency' }), '£12.40');
  assert.equal(formatPrice(98.25, { currency: 'USD', price_unit: 'percent_of_par' }), '98.25% of par');
  assert.equal(formatPrice(7, { currency: null, price_unit: 'currency' }), '7.00');
});

test('keeps four digits for a price below one, also without a currency', () => {
  assert.equal(formatPrice(0.0004, usd), '$0.0004');
  assert.equal(formatPrice(0.0145, usd), '$0.0145');
  assert.equal(formatPrice(0.00001234567, usd), '$0.00001235');
  assert.equal(formatPrice(0.5, usd), '$0.50');
  assert.equal(formatPrice(0.25, { currency: 'JPY', price_unit: 'currency' }), '¥0.25');
  assert.equal(formatPrice(0.0004, { currency: null, price_unit: 'currency' }), '0.0004');
});

test('gives a change the decimals of its price', () => {
  assert.equal(formatPriceChange(0.0001, { ...usd, price: 0.0004 }), '+$0.0001');
  assert.equal(formatPriceChange(-0.0001, { ...usd, price: 232.8 }), '$0.00');
  assert.equal(formatPriceChange(5e-14, { ...usd, price: 232.8 }), '$0.00');
});

test('shows quantities with all their digits', () => {
  assert.equal(formatQuantity(120.348), '120.348');
  assert.equal(formatQuantity(5000), '5,000');
  assert.equal(formatQuantity(0.01525217), '0.01525217');
  assert.equal(formatQuantity(0.0000001234), '0.0000001234');
  assert.equal(formatQuantity(-1.5), '\u22121.5');
  assert.equal(formatQuantity(0.1 + 0.2), '0.3');
});

test('shows the sign of a change, and none for zero', () => {
  assert.equal(formatPriceChange(1.2, usd), '+$1.20');
  assert.equal(formatPriceChange(-0.04, usd), '−$0.04');
  assert.equal(formatPriceChange(-0.001, usd), '$0.00');
  assert.equal(formatPriceChange(0, usd), '$0.00');
});
