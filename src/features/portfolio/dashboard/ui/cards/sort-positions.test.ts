import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { HeldPosition } from '../../../holdings/ui/page/list-positions.ts';
import { sortPositions } from './sort-positions.ts';

const createPosition = (symbol: string, figures: Partial<HeldPosition>): HeldPosition => ({
  key: symbol,
  symbol,
  name: `Company ${symbol}`,
  logo: null,
  asset_type: 'stock',
  currency: 'USD',
  isConverted: true,
  partial: { value: false, gain: false },
  priceCurrency: 'USD',
  ids: [],
  price: 1,
  price_unit: 'currency',
  quantity: 1,
  value: null,
  change_1d: null,
  change_amount: null,
  gain: null,
  weight: null,
  accounts: [],
  ...figures,
});

const positions = [
  createPosition('A', { value: 10, change_1d: -2, gain: { amount: 5, percent: 100 }, weight: 10, name: 'Zinc' }),
  createPosition('B', { value: 90, change_1d: 1, gain: { amount: -9, percent: -9 }, weight: 90, name: 'Alum' }),
  createPosition('C', { value: 500, currency: 'TWD', name: 'Mica' }),
  createPosition('D', { gain: { amount: 3, percent: null } }),
];

test.each([
  ['value', 'BACD'],
  ['day', 'BACD'],
  ['gain', 'ABCD'],
  ['weight', 'BACD'],
  ['holding', 'BDCA'],
] as const)('sorts by %s and puts missing figures last', (sort, symbols) => {
  assert.equal(
    sortPositions(positions, sort)
      .map(({ symbol }) => symbol)
      .join(''),
    symbols,
  );
});
