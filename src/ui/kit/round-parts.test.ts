import assert from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import { roundParts, roundToSum } from './round-parts.ts';

const amount = fc.integer({ min: -1e13, max: 1e13 }).map((units) => units / 1e6);
const sumUnits = (amounts: readonly number[], decimals: number): bigint =>
  amounts.reduce((sum, part) => sum + BigInt(part.toFixed(decimals).replace('.', '')), 0n);
const addExactly = (amounts: readonly number[]): number => Number(`${sumUnits(amounts, 8)}e-8`);

test('rounds parts so that they add up to the rounded total, each by less than one unit', () => {
  fc.assert(
    fc.property(
      fc.array(amount, { minLength: 1, maxLength: 40 }),
      fc.constantFrom(0, 2, 3),
      fc.boolean(),
      (parts, decimals, keepsFirst) => {
        const total = addExactly(parts);
        const rounded = roundToSum(parts, total, { decimals, keepsFirst });
        assert.equal(sumUnits(rounded, decimals), sumUnits(roundToSum([total], total, { decimals }), decimals));
        rounded.forEach((shown, index) => assert.ok(Math.abs(shown - parts[index]!) < 10 ** -decimals));
        if (keepsFirst) assert.equal(rounded[0], roundToSum([parts[0]!], parts[0]!, { decimals })[0]);
      },
    ),
  );
});

test('gives the missing unit to the part with the largest remainder', () => {
  assert.deepEqual(roundToSum([10.004, 20.003, 5], 35.007, { decimals: 2 }), [10.01, 20, 5]);
  assert.deepEqual(roundToSum([-2647.976, 22.5142], -2625.4618, { decimals: 2 }), [-2647.98, 22.52]);
  assert.deepEqual(roundToSum([1000.4, 20.4, 30.4], 1051.2, { decimals: 0 }), [1001, 20, 30]);
});

test('leaves the first part as it is when another screen shows it too', () => {
  assert.deepEqual(roundToSum([10.004, 20.003], 30.007, { decimals: 2, keepsFirst: true }), [10, 20.01]);
});

test('only rounds amounts that do not add up to the total', () => {
  assert.deepEqual(roundToSum([1.111, 2.222], 50, { decimals: 2 }), [1.11, 2.22]);
});

test('rounds money in the coins of its currency', () => {
  assert.deepEqual(roundParts([100.4, 200.4, null], 300.8, 'JPY'), [101, 200, null]);
  assert.deepEqual(roundParts([100.4, 200.4], 300.8, 'EUR'), [100.4, 200.4]);
  assert.deepEqual(roundParts([5, 0.0004], 5.0004, 'USD'), [5, 0.0004]);
});

test('takes a missing unit from no amount that would become zero', () => {
  assert.deepEqual(roundParts([891.6, 0.57], 892.17, 'JPY'), [891, 1]);
});
