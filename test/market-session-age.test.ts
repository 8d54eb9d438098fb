// @module-tag alone
// Runs in a separate process, because the test replaces globals with browser stubs.

import assert from 'node:assert/strict';
import { test } from 'vitest';
import './support/page-stub.ts';
import { getRefetchInterval } from '../src/features/watchlist/ui/list/watchlist-query.ts';
import type { MarketSession } from '../src/market-data/domain/market-data-provider.ts';
import { createMarketStatus } from '../src/market-data/services/market-status.ts';

/** Half a minute before the markets open, of which the exchange halts the trading from 09:47:10 to 10:02:20. */
const START = Date.parse('2026-11-20T14:29:30Z');
const HALT = { from: Date.parse('2026-11-20T14:47:10Z'), to: Date.parse('2026-11-20T15:02:20Z') };
const OPEN = Date.parse('2026-11-20T14:30:00Z');
const SECONDS = 40 * 60;

function getSessionAt(time: number): MarketSession {
  if (time < OPEN) return 'pre';
  return time >= HALT.from && time < HALT.to ? 'closed' : 'open';
}

test('shows a session that is at most a minute old when caches and polls add up', async () => {
  let time = START;
  const providers = {
    available: () => [{ id: 'test' }],
    call: async () => ({ ok: true, value: getSessionAt(time) }),
  } as unknown as Parameters<typeof createMarketStatus>[0]['providers'];
  const readStatus = createMarketStatus({ providers, now: () => new Date(time) });
  // The second browser opens the page while the first one's session is in the cache.
  const screens = [0, 47].map((start) => ({ readAt: START + start * 1_000, session: undefined as string | undefined }));
  const shown: string[] = [];
  const wrong = [0, 0];
  for (let second = 0; second < SECONDS; second += 1) {
    time = START + second * 1_000;
    for (const [index, screen] of screens.entries()) {
      if (time >= screen.readAt) {
        const status = (await readStatus())!;
        screen.session = status.session;
        screen.readAt = time + Number(getRefetchInterval({ ...status, newest_price_at: null }));
      }
      if (screen.session === undefined) continue;
      if (shown.at(-1) !== screen.session && index === 0) shown.push(screen.session);
      wrong[index] = screen.session === getSessionAt(time) ? 0 : wrong[index]! + 1;
      assert.ok(wrong[index] <= 60, `browser ${index} shows ${screen.session} after ${second} seconds`);
    }
  }
  assert.deepEqual(shown, ['pre', 'open', 'closed', 'open']);
});
