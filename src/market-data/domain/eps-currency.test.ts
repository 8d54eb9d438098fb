import assert from 'node:assert/strict';
import { test } from 'vitest';
import { getEpsCurrency } from './eps-currency.ts';

test('returns the listing’s currency when the estimate is of the simulator', () => {
  assert.equal(getEpsCurrency({ eps_estimate: 2.65, sample: true }, 'EUR'), 'EUR');
});

test('returns no currency when the source names none or there is no estimate', () => {
  assert.equal(getEpsCurrency({ eps_estimate: 2.65, sample: false }, 'EUR'), null);
  assert.equal(getEpsCurrency({ eps_estimate: null, sample: true }, 'EUR'), null);
});
