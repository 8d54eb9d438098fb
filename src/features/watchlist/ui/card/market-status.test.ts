import assert from 'node:assert/strict';
import { test } from 'vitest';
import { getMarketStatus } from './market-status.ts';

const createWatchlist = (newest: string | null) => ({
  market: { session: 'closed' as const, next_change_at: '2026-11-23T14:30:00.000Z', newest_price_at: newest },
  items: [],
});

test('the newest price of today in New York shows its time alone', () => {
  const line = getMarketStatus(createWatchlist('2026-11-20T21:00:00.000Z'), new Date('2026-11-21T04:59:00Z'));
  assert.deepEqual(line, {
    session: 'Market closed',
    isOpen: false,
    newest: { iso: '2026-11-20T21:00:00.000Z', text: '4:00 PM ET' },
  });
});

test('after midnight in New York the date is added', () => {
  assert.equal(
    getMarketStatus(createWatchlist('2026-11-20T21:00:00.000Z'), new Date('2026-11-21T05:00:00Z')).newest?.text,
    'Nov 20, 4:00 PM ET',
  );
});

test('without a market status nothing is claimed of the session', () => {
  assert.deepEqual(getMarketStatus({ market: null, items: [] }, new Date()), {
    session: null,
    isOpen: false,
    newest: null,
  });
});
