import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { HoldingTotals } from '../../contract.ts';
import { sumAccountValues } from './account-values.ts';

const createTotals = (currency: string, value: number | null, missing = 0): HoldingTotals => ({
  currency,
  value,
  change_amount: null,
  change_percent: null,
  gain: null,
  without_price: missing,
  without_change: 0,
  without_cost: 0,
});

test('adds cash and holdings per currency without binary fractions', () => {
  const account = { currency: 'USD', balance: 0.1, totals: [createTotals('USD', 0.2), createTotals('GBP', 5)] };
  assert.deepEqual(sumAccountValues(account), {
    values: [
      { currency: 'USD', amount: 0.3 },
      { currency: 'GBP', amount: 5 },
    ],
    withoutPrice: 0,
  });
});

test('counts positions without a price and keeps one zero for an empty account', () => {
  assert.deepEqual(sumAccountValues({ currency: 'EUR', balance: 0, totals: [createTotals('USD', null, 2)] }), {
    values: [{ currency: 'EUR', amount: 0 }],
    withoutPrice: 2,
  });
  assert.deepEqual(sumAccountValues({ currency: 'EUR', balance: 0, totals: [createTotals('USD', 3)] }).values, [
    { currency: 'USD', amount: 3 },
  ]);
});
