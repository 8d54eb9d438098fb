import assert from 'node:assert/strict';
import { test } from 'vitest';
import { parseBondTerms } from './parse-security-name.ts';

test('parses issuer, coupon and maturity from a bond’s name', () => {
  assert.deepEqual(parseBondTerms('US Treasury Note 4.25% 11/15/2034'), {
    issuer: 'US Treasury',
    coupon: '4.25% a year',
    maturity: '2034-11-15',
  });
  assert.deepEqual(parseBondTerms('Example Rail 7% 01/02/2040')?.issuer, 'Example Rail');
});

test('returns null when the name does not contain the terms', () => {
  for (const name of [null, '', 'Example Rail', '4.25% 11/15/2034', 'US Treasury Note 4.25%'])
    assert.equal(parseBondTerms(name), null, String(name));
});
