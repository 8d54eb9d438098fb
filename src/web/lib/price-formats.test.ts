import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatPrice, formatPriceChange } from './price-formats.ts';

const usd = { currency: 'USD', price_unit: 'currency' } as const;

test('a price stands in the listing’s own currency, a bond’s in percent of par', () => {
  assert.equal(formatPrice(1232.5, usd), '$1,232.50');
  assert.equal(formatPrice(12.4, { currency: 'GBP', price_unit: 'currency' }), '£12.40');
  assert.equal(formatPrice(98.25, { currency: 'USD', price_unit: 'percent_of_par' }), '98.25% of par');
  assert.equal(formatPrice(7, { currency: null, price_unit: 'currency' }), '7.00');
});

test('a change has its sign, and nothing has none', () => {
  assert.equal(formatPriceChange(1.2, usd), '+$1.20');
  assert.equal(formatPriceChange(-0.04, usd), '−$0.04');
  assert.equal(formatPriceChange(-0.001, usd), '$0.00');
  assert.equal(formatPriceChange(0, usd), '$0.00');
});
