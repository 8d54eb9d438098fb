import assert from 'node:assert/strict';
import { test } from 'vitest';
import { getIssuerLogoPath } from '../../../market-data/domain/logos.ts';
import { getFundIssuer, parseBondTerms } from './parse-security-name.ts';

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

const getIssuer = (name: string | null, assetType: 'etf' | 'mutual_fund' | 'stock' | 'bond' = 'mutual_fund') =>
  getFundIssuer({ asset_type: assetType, name, logo: getIssuerLogoPath(assetType, name) });

test('finds a fund’s issuer anywhere in its name', () => {
  assert.equal(getIssuer('Vanguard Total International Stock Index Fund'), 'Vanguard');
  assert.equal(getIssuer('T. Rowe Price Blue Chip Growth Fund'), 'T. Rowe Price');
  assert.equal(getIssuer('Dodge & Cox Income Fund'), 'Dodge & Cox');
  assert.equal(getIssuer('Technology Select Sector SPDR Fund', 'etf'), 'SPDR');
});

test('returns null for unknown issuers, companies and bonds', () => {
  for (const name of [null, 'Nobody’s Fund']) assert.equal(getIssuer(name), null);
  assert.equal(getIssuer('Invesco Ltd.', 'stock'), null);
  assert.equal(getIssuer('US Treasury Note 4.25% 11/15/2034', 'bond'), null);
});
