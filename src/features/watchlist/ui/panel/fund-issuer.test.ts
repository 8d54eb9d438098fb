import assert from 'node:assert/strict';
import { test } from 'vitest';
import { issuerLogo } from '../../../../market-data/domain/logos.ts';
import { fundIssuer } from './read-name.ts';

const issuerOf = (name: string | null, kind: 'etf' | 'mutual_fund' | 'stock' | 'bond' = 'mutual_fund') =>
  fundIssuer({ asset_type: kind, name, logo: issuerLogo(kind, name) });

test('a fund’s issuer is read from its name, also where the brand stands within it', () => {
  assert.equal(issuerOf('Vanguard Total International Stock Index Fund'), 'Vanguard');
  assert.equal(issuerOf('T. Rowe Price Blue Chip Growth Fund'), 'T. Rowe Price');
  assert.equal(issuerOf('Dodge & Cox Income Fund'), 'Dodge & Cox');
  assert.equal(issuerOf('Technology Select Sector SPDR Fund', 'etf'), 'SPDR');
});

test('nothing is said of an issuer that is not known, of a company, and of a bond, whose own name says it', () => {
  for (const name of [null, 'Nobody’s Fund']) assert.equal(issuerOf(name), null);
  assert.equal(issuerOf('Invesco Ltd.', 'stock'), null);
  assert.equal(issuerOf('US Treasury Note 4.25% 11/15/2034', 'bond'), null);
});
