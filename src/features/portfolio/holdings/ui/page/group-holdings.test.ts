import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { PortfolioHolding } from '../../contract.ts';
import { calculateFigures, calculateGroupWeight, calculateWeight } from './calculate-figures.ts';
import { filterHoldings, groupHoldings, keepExistingGroups } from './group-holdings.ts';
import { roundGroups } from './round-holdings.ts';
import { sortGroups, sortHoldings } from './sort-holdings.ts';

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
type Base = NonNullable<PortfolioHolding['base']>;
type Fields = Partial<Omit<PortfolioHolding, 'base'>> & { base?: Omit<Base, 'rate'> & { rate?: number } };
const createHolding = ({ base, ...fields }: Fields): PortfolioHolding => ({
  ...template,
  id: fields.symbol ?? '',
  name: fields.symbol ?? '',
  ...fields,
  base: base ? { rate: 1, ...base } : null,
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
  cost_basis: 220,
  change_amount: 0.06,
  base: { value: 300, cost_basis: 330, change_amount: 0.09, rate: 1.5 },
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
      // 0.2 + 0.09, of 400.10 − 0.29 at the previous close
      change_amount: 0.29,
      change_percent: 0.072534453866,
      // 400.10 − 410
      gain: { amount: -9.9, percent: -2.414634146341 },
      without_price: 1,
      without_change: 1,
      without_cost: 1,
    },
    unconverted: [{ currency: 'TWD', amount: 6137.2 }],
    exactValue: `450.1${'0'.repeat(27)}`,
  });
});

test('returns no totals when nothing can be converted', () => {
  assert.deepEqual(calculateFigures([taiwan], 'USD'), {
    totals: null,
    unconverted: [{ currency: 'TWD', amount: 6137.2 }],
    exactValue: null,
  });
  assert.deepEqual(calculateFigures([], 'USD'), { totals: null, unconverted: [], exactValue: null });
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

test('returns the holdings of every chosen group when several are chosen', () => {
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
] as const)(
  'puts missing figures last when holdings are sorted by %s, descending %s',
  ([column, descending, expected]) => {
    assert.deepEqual(listSymbols(sortHoldings(all, { column, descending })), expected);
  },
);

test.for([
  ['value', true, ['GBP', 'USD', 'TWD']],
  ['value', false, ['USD', 'GBP', 'TWD']],
  ['gain', true, ['USD', 'GBP', 'TWD']],
  ['day', false, ['GBP', 'USD', 'TWD']],
  ['holding', false, ['GBP', 'TWD', 'USD']],
  ['price', true, ['GBP', 'USD', 'TWD']],
] as const)(
  'sorts groups by their totals when holdings are sorted by %s, descending %s',
  ([column, descending, expected]) => {
    const groups = sortGroups(groupHoldings(all, 'currency', 'USD'), { column, descending });
    assert.deepEqual(
      groups.map(({ label }) => label),
      expected,
    );
  },
);

test('returns no weight when the holding or the portfolio has no rate', () => {
  // 300 of 450.10
  const whole = calculateFigures(all, 'USD').exactValue;
  assert.equal(calculateWeight(vodafone, whole), 66.651855143301);
  assert.equal(calculateWeight(taiwan, whole), null);
  assert.equal(calculateGroupWeight(calculateFigures([taiwan], 'USD'), whole), null);
  assert.equal(calculateWeight(vodafone, calculateFigures([taiwan], 'USD').exactValue), null);
});

test('computes percentages from amounts before they are rounded', () => {
  // 0.0363 and 0.00005 yen at 0.0064102564102564 dollars. Their eight decimals give 72,418.75 % and 72,450 %.
  const rate = 1 / 156;
  const small = createHolding({
    currency: 'JPY',
    value: 0.0363,
    cost_basis: 0.00005,
    base: { value: 0.00023269, cost_basis: 0.00000032, change_amount: null, rate },
  });
  const { totals } = calculateFigures([small], 'USD');
  assert.deepEqual(totals?.gain, { amount: 0.00023237, percent: 72_500 });
  const double = createHolding({ currency: 'JPY', value: 0.0726, base: { ...small.base!, value: 0.00046538, rate } });
  assert.equal(calculateWeight(small, calculateFigures([small, double], 'USD').exactValue), 33.333333333333);
});

test('adds up to the totals on screen when groups and their holdings are rounded', () => {
  const create = (symbol: string, account: string, value: number) =>
    createHolding({
      symbol,
      account_id: account,
      currency: 'GBP',
      value: 1,
      base: { value, cost_basis: value - 0.6, change_amount: 0.4 },
    });
  const holdings = [
    create('A', 'a1', 100.4),
    create('B', 'a1', 200.4),
    create('C', 'a2', 300.4),
    createHolding({
      symbol: 'D',
      currency: 'JPY',
      value: 50.4,
      base: { value: 50.4, cost_basis: 50.4, change_amount: 0 },
    }),
  ];
  const figures = calculateFigures(holdings, 'JPY');
  const groups = roundGroups(groupHoldings(holdings, 'account', 'JPY'), figures.totals, 'JPY');
  const sum = (amounts: readonly (number | null)[]): number =>
    amounts.reduce<number>((total, one) => total + (one ?? 0), 0);
  assert.equal(figures.totals?.value, 651.6);
  assert.equal(sum(groups.map(({ totals }) => totals!.value)), 652);
  assert.equal(sum(groups.map(({ totals }) => totals!.gain!.amount)), 2);
  for (const { totals, holdings: rows } of groups) {
    assert.equal(sum(rows.map(({ shown }) => shown.value)), totals!.value);
    // A holding in the base currency has one amount only.
    for (const row of rows) if (row.currency === 'JPY') assert.equal(row.value, row.shown.value);
  }
});
