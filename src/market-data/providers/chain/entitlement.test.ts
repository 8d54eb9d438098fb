import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createEntitlement } from './entitlement.ts';

test('denies only the uncovered capability, for an hour, when the plan lacks it', () => {
  let time = 0;
  const entitlement = createEntitlement(() => time);
  assert.equal(entitlement.remainingSeconds('candles'), undefined);
  entitlement.deny('candles');
  assert.equal(entitlement.remainingSeconds('candles'), 3_600);
  assert.equal(entitlement.remainingSeconds('quotes'), undefined);
  time = 3_599_999;
  assert.equal(entitlement.remainingSeconds('candles'), 1);
  time = 3_600_000;
  assert.equal(entitlement.remainingSeconds('candles'), undefined);
});
