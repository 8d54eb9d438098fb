import assert from 'node:assert/strict';
import { test } from 'vitest';
import { addDecimals, compareDecimals, multiplyDecimals, roundDecimal } from './decimal.ts';

test('adds and multiplies without a change of digits', () => {
  assert.equal(addDecimals('0.1', '0.2'), '0.3');
  assert.equal(addDecimals('-0.5', '0.25'), '-0.25');
  assert.equal(addDecimals('99999999999999999999.99', '0.01'), '100000000000000000000');
  assert.equal(multiplyDecimals('3', '33.3333'), '99.9999');
  assert.equal(multiplyDecimals('0.0000001234', '1000000'), '0.1234');
  assert.equal(multiplyDecimals('-2', '0.5'), '-1');
});

test('rounds a half away from zero', () => {
  assert.equal(roundDecimal('1.00005', 4), '1.0001');
  assert.equal(roundDecimal('-1.00005', 4), '-1.0001');
  assert.equal(roundDecimal('1.00004999', 4), '1');
  assert.equal(roundDecimal('0.00000000001', 10), '0');
  assert.equal(roundDecimal('12.5', 4), '12.5');
});

test('compares by value', () => {
  assert.equal(compareDecimals('10', '10.000'), 0);
  assert.ok(compareDecimals('9.99', '10') < 0);
  assert.ok(compareDecimals('-1', '-2') > 0);
});
