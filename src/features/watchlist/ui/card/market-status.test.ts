import assert from 'node:assert/strict';
import { test } from 'vitest';
import { getMarketStatus } from './market-status.ts';

const createWatchlist = (newest: string | null) => ({
  market: {
    session: 'closed' as const,
    next_change_at: '2026-11-23T14:30:00.000Z',
    session_valid_seconds: 60,
    newest_price_at: newest,
  },
  items: [],
});

test('shows only the time when the newest price is from today in New York', () => {
  const line = getMarketStatus(createWatchlist('2026-11-20T21:00:00.000Z'), new Date('2026-11-21T04:59:00Z'));
  assert.deepEqual(line, {
    session: 'Market closed',
    isOpen: false,
    newest: { iso: '2026-11-20T21:00:00.000Z', text: '4:00 PM ET' },
  });
});

test('adds the date after midnight in New York', () => {
  assert.equal(
    getMarketStatus(createWatchlist('2026-11-20T21:00:00.000Z'), new Date('2026-11-21T05:00:00Z')).newest?.text,
    'Nov 20, 4:00 PM ET',
  );
});

test('shows no session when the market status is missing', () => {
  assert.deepEqual(getMarketStatus({ market: null, items: [] }, new Date()), {
    session: null,
    isOpen: false,
    newest: null,
  });
});
