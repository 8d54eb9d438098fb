import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { PortfolioHolding } from '../../contract.ts';
import {
  calculateFigures,
  calculateWeight,
  filterHoldings,
  groupHoldings,
  keepExistingGroups,
  sortHoldings,
} from './group-holdings.ts';

const template: PortfolioHolding = {
  id: '',
  account_id: 'a1',
  account_name: 'Brokerage',
  symbol: 'AAPL',
  name: 'Apple Inc.',
  logo: null,
  logo_source: null,
  asset_type: 'stock',
  currency: 'USD',
  price: 10,
  price_unit: 'currency',
  price_at: null,
  change_1d: 0,
  quantity: 1,
  cost_basis: null,
  value: null,
  change_amount: null,
  gain: null,
  base: null,
};
const createHolding = (fields: Partial<PortfolioHolding>): PortfolioHolding => ({
  ...template,
  id: fields.symbol ?? '',
  name: fields.symbol ?? '',
  ...fields,
});

/** Base currency USD. One pound is $1.50, and the Taiwan dollar has no rate. */
const apple = createHolding({
  symbol: 'AAPL',
  value: 100.1,
  base: { value: 100.1, cost_basis: 80, change_amount: 0.2 },
});
const vodafone = createHolding({
  symbol: 'VOD.L',
  account_id: 'a2',
  account_name: 'Pounds',
  currency: 'GBP',
  value: 200,
  base: { value: 300, cost_basis: 330, change_amount: 0.1 },
});
const bond = createHolding({
  symbol: 'BOND',
  asset_type: 'bond',
  value: 50,
  base: { value: 50, cost_basis: null, change_amount: null },
});
const taiwan = createHolding({ symbol: '2330.TW', currency: 'TWD', value: 6137.2 });
const unpriced = createHolding({ symbol: 'NEW' });
const all = [apple, vodafone, bond, taiwan, unpriced];
const listSymbols = (holdings: readonly PortfolioHolding[]) => holdings.map(({ symbol }) => symbol);

test('adds up holdings of several currencies and counts what each figure omits', () => {
  assert.deepEqual(calculateFigures(all, 'USD'), {
    totals: {
      currency: 'USD',
      value: 450.1,
      // 0.2 + 0.1, of 400.10 − 0.30 at the previous close
      change_amount: 0.3,
      change_percent: 0.075,
      // 400.10 − 410
      gain: { amount: -9.9, percent: -2.4146 },
      without_price: 1,
      without_change: 1,
      without_cost: 1,
    },
    unconverted: [{ currency: 'TWD', amount: 6137.2 }],
  });
});

test('returns no totals when nothing can be converted', () => {
  assert.deepEqual(calculateFigures([taiwan], 'USD'), {
    totals: null,
    unconverted: [{ currency: 'TWD', amount: 6137.2 }],
  });
  assert.deepEqual(calculateFigures([], 'USD'), { totals: null, unconverted: [] });
});

test.for([
  [
    'account',
    [
      ['Pounds', 300],
      ['Brokerage', 150.1],
    ],
  ],
  [
    'class',
    [
      ['Stocks', 400.1],
      ['Bonds', 50],
    ],
  ],
  [
    'currency',
    [
      ['GBP', 300],
      ['USD', 150.1],
      ['TWD', undefined],
    ],
  ],
] as const)('groups holdings by %s with the largest group first', ([dimension, expected]) => {
  assert.deepEqual(
    groupHoldings(all, dimension, 'USD').map(({ label, totals }) => [label, totals?.value]),
    expected,
  );
});

test('groups a holding that the catalog does not list under Other', () => {
  const [group] = groupHoldings([createHolding({ symbol: null, asset_type: null })], 'class', 'USD');
  assert.equal(group?.label, 'Other');
});

test('shows the holdings that belong to every chosen group', () => {
  assert.deepEqual(listSymbols(filterHoldings(all, {})), listSymbols(all));
  assert.deepEqual(listSymbols(filterHoldings(all, { account: 'a1', class: 'stock' })), ['AAPL', '2330.TW', 'NEW']);
  assert.deepEqual(listSymbols(filterHoldings(all, { class: 'bond', currency: 'GBP' })), []);
});

test('drops a chosen group from the filter when its last holding is gone', () => {
  const filter = { account: 'a1', currency: 'GBP' };
  assert.deepEqual(keepExistingGroups(filter, all), filter);
  assert.deepEqual(keepExistingGroups(filter, [apple, bond]), { account: 'a1' });
  assert.deepEqual(keepExistingGroups({ account: undefined }, all), {});
});

test.for([
  ['value', true, ['VOD.L', 'AAPL', 'BOND', '2330.TW', 'NEW']],
  ['value', false, ['BOND', 'AAPL', 'VOD.L', '2330.TW', 'NEW']],
  ['gain', true, ['AAPL', 'VOD.L', '2330.TW', 'BOND', 'NEW']],
  ['day', true, ['AAPL', 'VOD.L', '2330.TW', 'BOND', 'NEW']],
  ['holding', false, ['2330.TW', 'AAPL', 'BOND', 'NEW', 'VOD.L']],
  ['account', true, ['VOD.L', '2330.TW', 'AAPL', 'BOND', 'NEW']],
] as const)('sorts by %s, descending %s, with missing figures last', ([column, descending, expected]) => {
  assert.deepEqual(listSymbols(sortHoldings(all, { column, descending })), expected);
});

test('returns the share of the whole value, and none without a rate', () => {
  assert.equal(calculateWeight(300, 450.1), 66.6519);
  assert.equal(calculateWeight(undefined, 450.1), null);
  assert.equal(calculateWeight(300, null), null);
});
