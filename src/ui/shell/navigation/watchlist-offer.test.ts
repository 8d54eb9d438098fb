// @module-tag alone
import assert from 'node:assert/strict';
import { beforeAll, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.ts';
import { renderHook } from '../../../../test/support/render-hook.ts';
import { startStubService } from '../../../../test/support/stub-service.ts';
import { session } from '../session/session.ts';
import { followWatchlistOffer, useNavigationClass, useNavigationEntries } from './watchlist-offer.ts';

// Runs in a separate process, because the test replaces globals with browser stubs.

beforeAll(() => {
  Object.assign(window, { location: new URL('http://127.0.0.1/portfolio') });
  followWatchlistOffer();
});

test('ignores the response about a member who has signed out', async (t) => {
  const layout = Promise.withResolvers<unknown>();
  const service = await startStubService(() => layout.promise);
  const hook = await renderHook(t, useNavigationEntries);
  const hasWatchlist = () => hook.current.some(({ label }) => label === 'Watchlist');
  await eventually(() => service.requests.length === 1);
  await session.signOut();
  layout.resolve({ cards: [{ id: 'watchlist' }], removed: [] });
  await new Promise((done) => setTimeout(done, 50));
  assert.equal(hasWatchlist(), false);
});

test.for([
  ['responds', { cards: [{ id: 'watchlist' }], removed: [] }, true],
  ['fails', new Response(null, { status: 500 }), false],
] as const)('hides the destinations until the first request %s', async ([, response, isOffered], t) => {
  const layout = Promise.withResolvers<unknown>();
  const entries = await renderHook(t, useNavigationEntries);
  const className = await renderHook(t, useNavigationClass);
  const service = await startStubService(() => layout.promise);
  await eventually(() => service.requests.length === 1);
  assert.equal(className.current, 'invisible');
  layout.resolve(response);
  await eventually(() => className.current === '');
  assert.equal(
    entries.current.some(({ label }) => label === 'Watchlist'),
    isOffered,
  );
  await session.signOut();
});
