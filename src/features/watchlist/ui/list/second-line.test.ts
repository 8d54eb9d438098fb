import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createActiveRow } from '../../../../../test/support/watchlist-rows.ts';
import { getNextLine, formatSecondLine } from './second-line.ts';

test('cycles Day %, Day $ and market cap', () => {
  assert.equal(getNextLine('percent'), 'amount');
  assert.equal(getNextLine('amount'), 'cap');
  assert.equal(getNextLine('cap'), 'percent');
});

test('shows each figure in the listing’s currency with its direction', () => {
  const row = createActiveRow('X', { change_1d: -1.234, change_amount: -0.5, market_cap: 3.21e12, currency: 'GBP' });
  assert.deepEqual(formatSecondLine(row, 'percent'), { text: '−1.23%', direction: 'down' });
  assert.deepEqual(formatSecondLine(row, 'amount'), { text: '−£0.50', direction: 'down' });
  assert.deepEqual(formatSecondLine(row, 'cap'), { text: '£3.21T', direction: 'none' });
});

test('shows a dash instead of zero for a fund without a day change', () => {
  const fund = createActiveRow('F', { change_1d: null, change_amount: null });
  for (const line of ['percent', 'amount', 'cap'] as const)
    assert.deepEqual(formatSecondLine(fund, line), { text: '–', direction: 'none' });
});

test('shows digits and direction for the change of a price below a cent', () => {
  const row = createActiveRow('X', { price: 232.8, change_amount: 0.0001 });
  const small = { ...row, price: 0.0004 };
  assert.deepEqual(formatSecondLine(small, 'amount'), { text: '+$0.0001', direction: 'up' });
  assert.deepEqual(formatSecondLine({ ...small, change_amount: -0.0001 }, 'amount').direction, 'down');
  assert.deepEqual(formatSecondLine(row, 'amount'), { text: '$0.00', direction: 'none' });
});
