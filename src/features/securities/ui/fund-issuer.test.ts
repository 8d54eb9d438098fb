import assert from 'node:assert/strict';
import { test } from 'vitest';
import { getIssuerLogoPath } from '../../../market-data/domain/logos.ts';
import { getFundIssuer } from './parse-security-name.ts';

const getIssuer = (name: string | null, kind: 'etf' | 'mutual_fund' | 'stock' | 'bond' = 'mutual_fund') =>
  getFundIssuer({ asset_type: kind, name, logo: getIssuerLogoPath(kind, name) });

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
