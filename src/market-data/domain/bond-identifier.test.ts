import assert from 'node:assert/strict';
import { test } from 'vitest';
import { simulatedListings } from '../../embedded/market-data/listings.ts';
import { toIsin } from './bond-identifier.ts';

test('reads an ISIN or CUSIP by its check digit and never accepts a ticker', () => {
  assert.equal(toIsin('912810TX6'), 'US912810TX63');
  assert.equal(toIsin('US912810TX63'), 'US912810TX63');
  assert.equal(toIsin('037833100'), 'US0378331005');
  for (const text of ['912810TX7', 'US912810TX64', '', 'AAPL', 'BRK.B', 'BTCUSDT', 'GB00BH4HKS3', 'ABCDEFGH5'])
    assert.equal(toIsin(text), undefined, text);
  for (const { symbol, assetType } of simulatedListings.values())
    if (assetType !== 'bond') assert.equal(toIsin(symbol), undefined, symbol);
});
