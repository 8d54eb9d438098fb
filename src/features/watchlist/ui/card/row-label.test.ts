import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createActiveRow } from '../../../../../test/support/watchlist-rows.ts';
import { formatRowLabel } from './row-label.ts';

test('builds one sentence from symbol, name, price, day, month and report', () => {
  const row = createActiveRow('AAPL', {
    name: 'Apple Inc.',
    price: 232.8,
    change_1d: 2.1,
    closes: [
      ['2026-10-20', 200],
      ['2026-11-20', 208],
    ],
    held: true,
  });
  assert.equal(
    formatRowLabel(row, 'percent', { date: '2026-11-23', market_days: 1 }, '2026-10-20'),
    'AAPL, Apple Inc., $232.80, up 2.10% on the day, one month +4.00%, reports on Monday, held',
  );
});

test('labels a bond in percent of par without a day change', () => {
  const bond = createActiveRow('912828', {
    name: null,
    price: 98.5,
    price_unit: 'percent_of_par',
    change_1d: null,
    asset_type: 'bond',
  });
  assert.equal(formatRowLabel(bond, 'percent', undefined, '2026-10-20'), '912828, 98.50% of par');
});

test('keeps all digits of a price below a cent', () => {
  const row = createActiveRow('PENNY', { price: 0.0004, change_1d: 2.1 });
  assert.match(formatRowLabel(row, 'percent', undefined, '2026-10-20'), /, \$0\.0004, /);
});
