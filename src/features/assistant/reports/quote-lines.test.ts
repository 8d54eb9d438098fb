import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { MemberSymbol } from '../tools/member-symbol.ts';
import { formatQuoteLine } from './quote-lines.ts';

test('speaks of an earlier day in the past, whether the price moved or not', () => {
  const write = (change: number, now: string): string =>
    formatQuoteLine(
      {
        symbol: 'KO',
        name: 'KO',
        quote: {
          symbol: 'KO',
          current_price: 60,
          price: 60,
          currency: 'USD',
          price_unit: 'currency',
          change_1d: change,
          price_at: '2026-11-20T20:00:00Z',
        },
      } as unknown as MemberSymbol,
      new Date(now),
    ).replace(/ at .*/, '');

  assert.equal(write(0, '2026-11-20T20:10:00Z'), 'KO is unchanged today');
  assert.equal(write(0, '2026-11-22T15:00:00Z'), 'KO was unchanged on Nov 20, 2026');
  assert.equal(write(1, '2026-11-22T15:00:00Z'), 'KO was up 1.00% on Nov 20, 2026');
});
