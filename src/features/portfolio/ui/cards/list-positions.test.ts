import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { PortfolioHolding } from '../../contract.ts';
import { listPositions } from './list-positions.ts';

const createHolding = (id: string, fields: Partial<PortfolioHolding>): PortfolioHolding => ({
  id,
  account_id: 'a1',
  account_name: 'Brokerage',
  symbol: null,
  name: id,
  logo: null,
  logo_source: null,
  asset_type: 'stock',
  currency: 'USD',
  price: 10,
  price_unit: 'currency',
  price_at: null,
  change_1d: null,
  quantity: 1,
  cost_basis: null,
  value: null,
  change_amount: null,
  gain: null,
  base: null,
  ...fields,
});

/** Base currency USD. One pound is $1.50, and the Taiwan dollar has no rate. */
const holdings = [
  createHolding('1', {
    symbol: 'VOD.L',
    currency: 'GBP',
    value: 200,
    base: { value: 300, cost_basis: 330, change_amount: 0.3 },
  }),
  createHolding('2', {
    symbol: 'VOD.L',
    currency: 'GBP',
    value: 100,
    quantity: 0.5,
    base: { value: 150, cost_basis: null, change_amount: 0.15 },
  }),
  createHolding('3', {
    name: 'AAPL Call 2027',
    asset_type: null,
    quantity: 2,
    base: { value: 50, cost_basis: null, change_amount: null },
    value: 50,
  }),
  createHolding('4', { symbol: '2330.TW', currency: 'TWD', value: 1000, change_amount: 10 }),
];

test('adds up holdings of a symbol in the base currency', () => {
  const { positions, figures } = listPositions({ holdings, currency: 'USD' });
  assert.deepEqual(
    positions.map(({ key, quantity, currency, value, change_amount: change, gain, weight }) => [
      key,
      quantity,
      currency,
      value,
      change,
      gain,
      weight,
    ]),
    [
      // 450 of 500. The cost of one holding is unknown.
      ['VOD.L', 1.5, 'USD', 450, 0.45, null, 90],
      ['3', 2, 'USD', 50, null, null, 10],
      // In the currency of the listing, because it has no rate.
      ['2330.TW', 1, 'TWD', 1000, 10, null, null],
    ],
  );
  assert.equal(figures.totals?.value, 500);
  assert.deepEqual(figures.unconverted, [{ currency: 'TWD', amount: 1000 }]);
});
