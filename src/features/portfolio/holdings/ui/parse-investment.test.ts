import assert from 'node:assert/strict';
import { test } from 'vitest';
import { parseInvestment } from './parse-investment.ts';

const usd = { locale: 'en-US', currency: 'USD' };
const typed = {
  symbol: 'AAPL',
  accountId: 'a1',
  accountName: '',
  accountCurrency: '',
  quantity: ' 1,250.5 ',
  cost: '',
};

test('parses numbers as people type them', () => {
  assert.deepEqual(parseInvestment(typed, usd), {
    ok: true,
    investment: { symbol: 'AAPL', account: { id: 'a1' }, quantity: 1250.5, costBasis: null },
  });
  const paid = parseInvestment({ ...typed, quantity: '.5', cost: '$ 40' }, usd);
  assert.ok(paid.ok);
  assert.deepEqual([paid.investment.quantity, paid.investment.costBasis], [0.5, 40]);
});

for (const quantity of ['', '0', '-3', 'three', '1e5', '1.2.3', 'NaN', 'Infinity', '9999999999999']) {
  test(`rejects a quantity of ${JSON.stringify(quantity)} at its field`, () => {
    const read = parseInvestment({ ...typed, quantity }, usd);
    assert.deepEqual(!read.ok && read.problems.map(({ field }) => field), ['quantity']);
  });
}

test('says that a cost below 0 is negative and keeps the sentence of other costs', () => {
  const listMessages = (cost: string): unknown => {
    const read = parseInvestment({ ...typed, cost }, usd);
    return !read.ok && read.problems.map(({ field, message }) => [field, message]);
  };
  assert.deepEqual(listMessages('-5'), [['cost', 'The cost cannot be negative.']]);
  assert.deepEqual(listMessages('2000000000000000'), [['cost', 'Enter the total cost, or leave it empty.']]);
});

test('rejects decimals that would be rounded off', () => {
  const paid = parseInvestment({ ...typed, quantity: '0.0000000001', cost: '1.2345' }, usd);
  assert.ok(paid.ok);
  assert.deepEqual([paid.investment.quantity, paid.investment.costBasis], [1e-10, 1.2345]);
  const read = parseInvestment({ ...typed, quantity: '0.00000000012', cost: '1.23456' }, usd);
  assert.deepEqual(!read.ok && read.problems, [
    { field: 'quantity', message: '“0.00000000012” has more than 10 decimals. Round it to 10.' },
    { field: 'cost', message: '“1.23456” has more than 4 decimals. Round it to 4.' },
  ]);
});

test('allows a currency only for the face value of a bond', () => {
  const read = parseInvestment({ ...typed, quantity: '$5,000' }, usd);
  assert.deepEqual(!read.ok && read.problems, [
    { field: 'quantity', message: 'Type only the number of “$5,000”, without “$”.' },
  ]);
  assert.ok(parseInvestment({ ...typed, quantity: '$5,000' }, { ...usd, asset_type: 'bond' }).ok);
});

test('returns every problem at once', () => {
  const read = parseInvestment(
    {
      symbol: null,
      accountId: null,
      accountName: ' ',
      accountCurrency: 'dollars',
      quantity: 'x',
      cost: 'y',
    },
    usd,
  );
  assert.deepEqual(!read.ok && read.problems.map(({ field }) => field), [
    'security',
    'account_name',
    'quantity',
    'cost',
  ]);
});
