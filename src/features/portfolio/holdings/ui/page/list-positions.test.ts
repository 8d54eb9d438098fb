import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { PortfolioHolding } from '../../contract.ts';
import { listPositions } from './list-positions.ts';

type Base = NonNullable<PortfolioHolding['base']>;
type Fields = Partial<Omit<PortfolioHolding, 'base'>> & { base?: Omit<Base, 'rate'> & { rate?: number } };
const createHolding = (id: string, { base, ...fields }: Fields): PortfolioHolding => ({
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
  ...fields,
  base: base ? { rate: 1, ...base } : null,
});

/** Base currency USD. One pound is $1.50, and the Taiwan dollar has no rate. */
const holdings = [
  createHolding('1', {
    symbol: 'VOD.L',
    currency: 'GBP',
    value: 200,
    cost_basis: 220,
    change_amount: 0.2,
    base: { value: 300, cost_basis: 330, change_amount: 0.3, rate: 1.5 },
  }),
  createHolding('2', {
    symbol: 'VOD.L',
    currency: 'GBP',
    value: 100,
    quantity: 0.5,
    change_amount: 0.1,
    base: { value: 150, cost_basis: null, change_amount: 0.15, rate: 1.5 },
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

test('adds up the known figures of a symbol in the base currency', () => {
  const { positions, figures, partial } = listPositions({
    holdings,
    currency: 'USD',
    base: { investments: 500, cash: 0, liabilities: 0, total: 500 },
  });
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
      // 450 of 500. The cost of one holding is unknown, so the gain is that of the other one.
      ['VOD.L', 1.5, 'USD', 450, 0.45, { amount: -30, percent: -9.090909090909 }, 90],
      ['3', 2, 'USD', 50, null, null, 10],
      // In the currency of the listing, because it has no rate.
      ['2330.TW', 1, 'TWD', 1000, 10, null, null],
    ],
  );
  assert.equal(figures.totals?.value, 500);
  assert.deepEqual(figures.totals?.gain, { amount: -30, percent: -9.090909090909 });
  assert.deepEqual(
    positions.map((position) => position.partial.gain),
    [true, false, false],
  );
  assert.deepEqual([figures.totals?.without_cost, partial.without_cost], [2, 1]);
  assert.deepEqual(figures.unconverted, [{ currency: 'TWD', amount: 1000 }]);
});

test('rounds the amounts of positions so that they add up to the totals', () => {
  const base = (value: number) => ({ value, cost_basis: value - 0.004, change_amount: 0.004 });
  const { positions, figures } = listPositions({
    holdings: [
      createHolding('1', { symbol: 'A', value: 1, base: base(10.004) }),
      createHolding('2', { symbol: 'B', value: 1, base: base(20.004) }),
      createHolding('3', { symbol: 'B', value: 1, base: { ...base(30), cost_basis: null } }),
      createHolding('4', { symbol: 'C', value: 1, base: { value: 40, cost_basis: null, change_amount: null } }),
    ],
    currency: 'USD',
    base: { investments: 100.008, cash: 0, liabilities: 0, total: 100.008 },
  });
  assert.deepEqual(
    positions.map(({ value, change_amount: change }) => [value, change]),
    [
      [10.01, 0.004],
      [50, 0.01],
      [40, null],
    ],
  );
  assert.deepEqual([figures.totals?.value, figures.totals?.change_amount], [100.008, 0.012]);
  // Holdings 3 and 4 have no cost, and they belong to two of the three rows.
  assert.deepEqual([figures.totals?.without_cost, figures.totals?.without_change], [2, 1]);
});

test('adds up the values of a symbol that only one institution knows', () => {
  const fields = { symbol: 'A', price: null };
  const known = { value: 40, cost_basis: 30, change_amount: null };
  const { positions, figures, partial } = listPositions({
    holdings: [
      createHolding('1', { ...fields, currency: null }),
      createHolding('2', { ...fields, ...known, base: known }),
    ],
    currency: 'USD',
    base: { investments: 40, cash: 0, liabilities: 0, total: 40 },
  });
  const [position] = positions;
  assert.deepEqual([position?.value, position?.gain?.amount, figures.totals?.gain?.amount], [40, 10, 10]);
  assert.deepEqual(position?.partial, { value: true, gain: true });
  assert.deepEqual([figures.totals?.without_price, partial.without_price], [1, 1]);
});
