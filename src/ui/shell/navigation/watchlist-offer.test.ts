// @module-tag alone
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.ts';
import { renderHook } from '../../../../test/support/render-hook.ts';
import { startStubService } from '../../../../test/support/stub-service.ts';
import { session } from '../session/session.ts';
import { followWatchlistOffer, useNavigationEntries } from './watchlist-offer.ts';

// Runs in a separate process, because the test replaces globals with browser stubs.

test('ignores the response about a member who has signed out', async (t) => {
  Object.assign(window, { location: new URL('http://127.0.0.1/portfolio') });
  const layout = Promise.withResolvers<unknown>();
  const service = await startStubService(() => layout.promise);
  const hook = await renderHook(t, useNavigationEntries);
  const hasWatchlist = () => hook.current.some(({ label }) => label === 'Watchlist');
  followWatchlistOffer();
  await session.signOut();
  await service.signIn();
  await eventually(() => service.requests.length === 1);
  await session.signOut();
  layout.resolve({ cards: [{ id: 'watchlist' }], removed: [] });
  await new Promise((done) => setTimeout(done, 50));
  assert.equal(hasWatchlist(), false);
});
