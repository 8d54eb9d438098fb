import assert from 'node:assert/strict';
import { test } from 'vitest';
import { activeRow } from '../../../../../test/support/watchlist-rows.ts';
import { nextLine, secondLine } from './second-line.ts';

test('the second line cycles Day %, Day $, market cap', () => {
  assert.equal(nextLine('percent'), 'amount');
  assert.equal(nextLine('amount'), 'cap');
  assert.equal(nextLine('cap'), 'percent');
});

test('each says its figure in the listing’s currency, and its direction', () => {
  const row = activeRow('X', { change_1d: -1.234, change_amount: -0.5, market_cap: 3.21e12, currency: 'GBP' });
  assert.deepEqual(secondLine(row, 'percent'), { text: '−1.23%', direction: 'down' });
  assert.deepEqual(secondLine(row, 'amount'), { text: '−£0.50', direction: 'down' });
  assert.deepEqual(secondLine(row, 'cap'), { text: '£3.21T', direction: 'none' });
});

test('a fund has no day move: a dash, never a zero', () => {
  const fund = activeRow('F', { change_1d: null, change_amount: null });
  for (const line of ['percent', 'amount', 'cap'] as const)
    assert.deepEqual(secondLine(fund, line), { text: '–', direction: 'none' });
});

test('a change of a price below a cent has its digits and its direction', () => {
  const row = activeRow('X', { price: 232.8, change_amount: 0.0001 });
  const small = { ...row, price: 0.0004 };
  assert.deepEqual(secondLine(small, 'amount'), { text: '+$0.0001', direction: 'up' });
  assert.deepEqual(secondLine({ ...small, change_amount: -0.0001 }, 'amount').direction, 'down');
  assert.deepEqual(secondLine(row, 'amount'), { text: '$0.00', direction: 'none' });
});
