import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { compareRows, type ExpectedFigure, findFault } from './support/figures/compare-figures.ts';
import { change, count, money, part, total } from './support/figures/expect-screens.ts';
import { toAmount } from './support/figures/fixed-point.ts';
import { findFigures } from './support/figures/read-figures.ts';

/** The comparison of the walk of the screens (test/e2e/figures.e2e.ts) finds each kind of planted difference. */

const netWorth = money('net worth', toAmount('113204.115'), 'USD');
const day = change('day', toAmount('-0.4'), 'GBP');
const yen = money('value', toAmount('1000409.4'), 'JPY');
const price: ExpectedFigure = {
  ...money('price', toAmount('7.7653'), 'GBP'),
  kind: 'price',
  product: { of: toAmount(200), currency: 'GBP' },
};
const rows = [
  { path: 'Net worth', figures: [netWorth, day] },
  { path: 'Holdings › AAPL', figures: [count('holdings', 3)] },
];
const shown = [
  { path: 'Net worth', figures: ['$113,204.12', '−£0.40'] },
  { path: 'Holdings › AAPL', figures: ['3'] },
];

test('finds nothing when every figure is right', () => {
  assert.deepEqual(compareRows(shown, rows), []);
  assert.equal(findFault('¥1,000,409', yen), undefined);
  assert.equal(findFault('£7.7653', price), undefined);
});

describe('finds a planted difference', () => {
  test.for<[name: string, text: string, figure: ExpectedFigure]>([
    ['of a cent', '$113,204.13', netWorth],
    ['of a yen', '¥1,000,410', yen],
    ['of the sign', '£0.40', day],
    ['of a sign where none belongs', '+$113,204.12', netWorth],
    ['of the currency', '€113,204.12', netWorth],
    ['of the decimals', '$113,204', netWorth],
    ['of a count', '4', count('holdings', 3)],
    ['of the unit', '0.40%', day],
    ['of the digits that give the product beside a price', '£7.77', price],
    ['of more than the rounding of a part', '$113,204.14', part(netWorth, 'accounts')],
  ])('%s', ([, text, figure]) => {
    assert.ok(findFault(text, figure));
  });

  test('when a row is missing', () => {
    assert.deepEqual(compareRows(shown.slice(1), rows), ['Net worth: missing net worth, day']);
  });

  test('when a row or a figure is new', () => {
    const withRow = [...shown, { path: 'Cash', figures: ['$1.00'] }];
    assert.deepEqual(compareRows(withRow, rows), ['Cash: unexpected $1.00']);
    const withFigure = [{ path: 'Net worth', figures: [...shown[0]!.figures, '5.00%'] }, shown[1]!];
    assert.deepEqual(compareRows(withFigure, rows), ['Net worth: unexpected 5.00%']);
  });

  test('when parts do not add up to their total', () => {
    const parts = [1, 2].map((index) => ({
      path: `Accounts › ${index}`,
      figures: [part(money('value', toAmount('0.005'), 'USD'), 'accounts')],
    }));
    const expected = [
      { path: 'Net worth', figures: [total(money('total', toAmount('0.01'), 'USD'), 'accounts')] },
      ...parts,
    ];
    const texts = (first: string, second: string) => [
      { path: 'Net worth', figures: ['$0.01'] },
      { path: 'Accounts › 1', figures: [first] },
      { path: 'Accounts › 2', figures: [second] },
    ];
    assert.deepEqual(compareRows(texts('$0.01', '$0.00'), expected), []);
    assert.equal(compareRows(texts('$0.01', '$0.01'), expected).length, 1);
  });
});

test('reads amounts, percentages and numbers of a text but no dates or times', () => {
  assert.deepEqual(findFigures('+$536.11 (+1.11%) since Nov 26, 2026, 4:00 PM ET'), ['+$536.11', '+1.11%']);
  assert.deepEqual(findFigures('1 GBP = 1.3312 USD · 9 of 10 holdings'), ['1', '1.3312', '9', '10']);
  assert.deepEqual(findFigures('NT$6,137.20 −CA$2.00 CHF\u00A01.05 98.25% of par'), [
    'NT$6,137.20',
    '−CA$2.00',
    'CHF\u00A01.05',
    '98.25%',
  ]);
});
