// @module-tag alone
// Runs in a separate process, because the test replaces globals with browser stubs.

import assert from 'node:assert/strict';
import { test } from 'vitest';
import '../../../../../test/support/page-stub.ts';
import { getRefetchInterval, getMsUntilNextHour } from './watchlist-query.ts';

const MINUTE = 60_000;
const market = (session: 'pre' | 'open' | 'post' | 'closed', validSeconds: number) => ({
  session,
  next_change_at: '2026-11-20T21:00:00.000Z',
  session_valid_seconds: validSeconds,
  newest_price_at: null,
});

test('refetches the list a second after the session may have changed', () => {
  for (const session of ['pre', 'open', 'post', 'closed'] as const)
    assert.equal(getRefetchInterval(market(session, 42)), 43_000, session);
});

test('refetches every 15 minutes around trading and every hour while closed', () => {
  for (const session of ['pre', 'open', 'post'] as const)
    assert.equal(getRefetchInterval(market(session, 7_200)), 15 * MINUTE, session);
  assert.equal(getRefetchInterval(market('closed', 7_200)), 60 * MINUTE);
});

test('sets no timer when the market status is missing', () => {
  assert.equal(getRefetchInterval(null), false);
  assert.equal(getRefetchInterval(undefined), false);
});

test('refetches earnings chips five seconds after the next full hour', () => {
  assert.equal(getMsUntilNextHour(Date.parse('2026-11-20T04:20:00Z')), 40 * MINUTE + 5_000);
  assert.equal(getMsUntilNextHour(Date.parse('2026-11-20T05:00:03Z')), 2_000);
  assert.equal(getMsUntilNextHour(Date.parse('2026-11-20T05:00:05Z')), 60 * MINUTE);
});
