import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readInvestment } from './read-investment.ts';

const typed = {
  symbol: 'AAPL',
  accountId: 'a1',
  accountName: '',
  accountCurrency: '',
  quantity: ' 1,250.5 ',
  cost: '',
};

test('numbers are read as people type them', () => {
  assert.deepEqual(readInvestment(typed), {
    ok: true,
    investment: { symbol: 'AAPL', account: { id: 'a1' }, quantity: 1250.5, costBasis: null },
  });
  const paid = readInvestment({ ...typed, quantity: '.5', cost: '$ 40' });
  assert.ok(paid.ok);
  assert.deepEqual([paid.investment.quantity, paid.investment.costBasis], [0.5, 40]);
});

for (const quantity of ['', '0', '-3', 'three', '1e5', '1.2.3', 'NaN', 'Infinity', '9999999999999']) {
  test(`a quantity of ${JSON.stringify(quantity)} is refused at its field`, () => {
    const read = readInvestment({ ...typed, quantity });
    assert.deepEqual(!read.ok && read.problems.map(({ field }) => field), ['quantity']);
  });
}

test('every problem is told at once', () => {
  const read = readInvestment({
    symbol: null,
    accountId: null,
    accountName: ' ',
    accountCurrency: 'dollars',
    quantity: 'x',
    cost: 'y',
  });
  assert.deepEqual(!read.ok && read.problems.map(({ field }) => field), [
    'security',
    'account_name',
    'account_currency',
    'quantity',
    'cost',
  ]);
});
