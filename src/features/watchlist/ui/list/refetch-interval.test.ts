// @module-tag alone
// Runs in a separate process, because the test replaces globals with browser stubs.

import assert from 'node:assert/strict';
import { test } from 'vitest';
import '../../../../../test/support/page-stub.ts';
import { getRefetchInterval, getMsUntilNextHour } from './watchlist-query.ts';

const MINUTE = 60_000;
const now = Date.parse('2026-11-20T14:20:00.000Z');
const market = (session: 'pre' | 'open' | 'post' | 'closed', change: string) => ({
  session,
  next_change_at: `2026-11-20T${change}.000Z`,
  newest_price_at: null,
});

test('refetches the list shortly after each session change', () => {
  for (const session of ['pre', 'open', 'post', 'closed'] as const)
    assert.equal(getRefetchInterval(market(session, '14:30:00'), now), 10 * MINUTE + 5_000, session);
});

test('refetches every 15 minutes around trading and every hour while closed', () => {
  for (const session of ['pre', 'open', 'post'] as const)
    assert.equal(getRefetchInterval(market(session, '21:00:00'), now), 15 * MINUTE, session);
  assert.equal(getRefetchInterval(market('closed', '21:00:00'), now), 60 * MINUTE);
});

test('never refetches more than once a minute, even when the clock is wrong', () => {
  assert.equal(getRefetchInterval(market('pre', '14:00:00'), now), MINUTE);
  assert.equal(getRefetchInterval(market('closed', '14:20:10'), now), MINUTE);
});

test('sets no timer when the market status is missing', () => {
  assert.equal(getRefetchInterval(null, now), false);
  assert.equal(getRefetchInterval(undefined, now), false);
});

test('refetches earnings chips five seconds after the next full hour', () => {
  assert.equal(getMsUntilNextHour(Date.parse('2026-11-20T04:20:00Z')), 40 * MINUTE + 5_000);
  assert.equal(getMsUntilNextHour(Date.parse('2026-11-20T05:00:03Z')), 2_000);
  assert.equal(getMsUntilNextHour(Date.parse('2026-11-20T05:00:05Z')), 60 * MINUTE);
});
