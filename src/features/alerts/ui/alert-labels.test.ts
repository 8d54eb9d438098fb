import assert from 'node:assert/strict';
import { test } from 'vitest';
import { describeMetThreshold } from './alert-labels.ts';

const APPLE = { symbol: 'AAPL', price: 231.1, change_1d: -6.2, currency: 'USD', price_unit: 'currency' } as const;

/** Returns the hint of the alert dialog. */
function describeMet(...call: Parameters<typeof describeMetThreshold>): string | undefined {
  const met = describeMetThreshold(...call);
  return met && `${met.state}: the alert ${met.firing}.`;
}

test.each([
  ['above', 200, 'AAPL is at $231.10, already above $200.00: the alert fires at the next price.'],
  ['above', 231.1, 'AAPL is at $231.10, already at $231.10: the alert fires at the next price.'],
  ['above', 231.11, undefined],
  ['below', 240, 'AAPL is at $231.10, already below $240.00: the alert fires at the next price.'],
  ['below', 231.1, 'AAPL is at $231.10, already at $231.10: the alert fires at the next price.'],
  ['below', 231, undefined],
  ['above', 0, undefined],
  ['above', -1, undefined],
  ['move', 5, 'AAPL has moved −6.20%, already 5% or more: the alert fires at the next price of the same day.'],
  ['move', 6.2, 'AAPL has moved −6.20%, already 6.2% or more: the alert fires at the next price of the same day.'],
  ['move', 6.21, undefined],
] as const)('says whether the last price meets the threshold when it is %s %d', (kind, threshold, text) => {
  assert.equal(describeMet(APPLE, kind, threshold), text);
});

test('says nothing of the threshold when no price or move is known', () => {
  assert.equal(describeMet({ ...APPLE, change_1d: null }, 'move', 5), undefined);
  assert.equal(describeMet({ ...APPLE, price: null }, 'above', 200), undefined);
});

test('compares a bond in percent of par', () => {
  const bond = {
    symbol: 'T 4 1/4',
    price: 98.25,
    change_1d: null,
    currency: 'USD',
    price_unit: 'percent_of_par',
  } as const;
  assert.equal(
    describeMet(bond, 'below', 99),
    'T 4 1/4 is at 98.25% of par, already below 99.00% of par: the alert fires at the next price.',
  );
});
