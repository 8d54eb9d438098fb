import assert from 'node:assert/strict';
import { test } from 'vitest';
import { readBondTerms } from './read-name.ts';

test('a bond’s name says who issued it, what it pays and when it ends', () => {
  assert.deepEqual(readBondTerms('US Treasury Note 4.25% 11/15/2034'), {
    issuer: 'US Treasury',
    coupon: '4.25% a year',
    maturity: '2034-11-15',
  });
  assert.deepEqual(readBondTerms('Example Rail 7% 01/02/2040')?.issuer, 'Example Rail');
});

test('of a name that does not say it nothing is claimed', () => {
  for (const name of [null, '', 'Example Rail', '4.25% 11/15/2034', 'US Treasury Note 4.25%'])
    assert.equal(readBondTerms(name), null, String(name));
});
