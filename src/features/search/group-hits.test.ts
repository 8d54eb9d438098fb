import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { AssetType } from '../../market-data/contract.ts';
import { groupHits } from './group-hits.ts';

const hit = (asset_type: AssetType, symbol: string) => ({
  symbol,
  name: symbol,
  exchange: 'NYSE',
  asset_type,
  currency: 'USD',
  logo: null,
  logo_source: null,
});

test('orders groups as Stocks, ETFs, Mutual funds, Bonds for any order of hits', () => {
  const hits = [hit('bond', 'B'), hit('etf', 'E'), hit('mutual_fund', 'M'), hit('stock', 'S'), hit('etf', 'F')];
  const { groups } = groupHits('any', hits, { held: [], watched: [] });
  assert.deepEqual(
    groups.map(({ label, results }) => [label, ...results.map(({ symbol }) => symbol)]),
    [
      ['Stocks', 'S'],
      ['ETFs', 'E', 'F'],
      ['Mutual funds', 'M'],
      ['Bonds', 'B'],
    ],
  );
});
