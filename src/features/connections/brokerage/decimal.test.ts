import assert from 'node:assert/strict';
import { test } from 'vitest';
import fc from 'fast-check';
import { add, multiply } from './decimal.ts';

test.each([
  ['0.1', '0.2', '0.02'],
  ['-3', '1.10', '-3.3'],
  ['12345678.12345678', '0', '0'],
])('multiplies %s by %s to %s', (a, b, product) => {
  assert.equal(multiply(a, b), product);
});

test.each([
  ['0.1', '0.2', '0.3'],
  ['5', '-5.00', '0'],
])('adds %s and %s to %s', (a, b, sum) => {
  assert.equal(add(a, b), sum);
});

test('adds and multiplies amounts of three decimals exactly', () => {
  const digits = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
  const toDecimal = (value: number): string =>
    `${value < 0 ? '-' : ''}${Math.trunc(Math.abs(value) / 1000)}.${String(Math.abs(value) % 1000).padStart(3, '0')}`;
  fc.assert(
    fc.property(digits, digits, (a, b) => {
      assert.equal(Number(add(toDecimal(a), toDecimal(b))), Number(toDecimal(a + b)));
      assert.equal(BigInt(Math.round(Number(multiply(toDecimal(a), '1000')))), BigInt(a));
    }),
  );
});
