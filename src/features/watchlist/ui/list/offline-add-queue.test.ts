// @module-tag alone
import assert from 'node:assert/strict';
import { beforeEach, test, type TestContext } from 'vitest';
import { onlineManager } from '@tanstack/react-query';
import { eventually, eventuallyEquals } from '../../../../../test/support/eventually.ts';
import { renderHook } from '../../../../../test/support/render-hook.ts';
import { startStubService } from '../../../../../test/support/stub-service.ts';
import { createActiveRow, createWatchlist } from '../../../../../test/support/watchlist-rows.ts';
import { toasts } from '../../../../ui/kit/toasts.ts';
import { session } from '../../../../ui/shell/session/session.ts';
import type { Watchlist } from '../../contract.ts';
import { useAddSymbol } from './add-item.ts';
import { useRemoveItem } from './remove-item.ts';
import { offlineAdds } from './offline-add-queue.ts';
import { useReplayOfflineAdds } from './replay-offline-adds.ts';
import { watchlistQueryKey } from './watchlist-query.ts';

// Runs in a separate process, because the test replaces globals with browser stubs.

const storage = new Map<string, string>();
Object.defineProperty(globalThis, 'localStorage', {
  value: {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => {
      storage.set(key, value);
    },
    removeItem: (key: string) => {
      storage.delete(key);
    },
  },
});

const security = { symbol: 'D', name: 'Dee Inc.', asset_type: 'stock', currency: 'USD', logo: null } as const;
const listToastTexts = (): string[] => toasts.get().map(({ text }) => text);
const readStoredAdds = (): string => storage.get('tally.kept-adds') ?? '';

beforeEach(() => {
  storage.clear();
  toasts.set([]);
  onlineManager.setOnline(true);
});

const serve = () =>
  startStubService((call, body) =>
    call === 'GET /api/watchlist'
      ? createWatchlist([], 20)
      : { item: createActiveRow((body as { symbol: string }).symbol) },
  );

async function open(t: TestContext) {
  const hook = await renderHook(t, () => {
    useReplayOfflineAdds();
    return { add: useAddSymbol(), remove: useRemoveItem() };
  });
  hook.queries.setQueryData(watchlistQueryKey, createWatchlist([], 20));
  return hook;
}

test('stores an offline add and sends it once when the network is back', async (t) => {
  const service = await serve();
  const hook = await open(t);
  onlineManager.setOnline(false);
  hook.current.add.mutate({ security });
  await eventually(() => readStoredAdds().includes('"D"'));
  assert.deepEqual(listToastTexts(), ['Dee will be added when you are back online.']);
  assert.deepEqual(
    hook.queries.getQueryData<Watchlist>(watchlistQueryKey)?.items.map(({ id }) => id),
    ['pending:D'],
  );
  assert.deepEqual([service.requests, offlineAdds.claim()], [[], []], 'the page that stored the add sends it');
  onlineManager.setOnline(true);
  await eventuallyEquals(() => [hook.queries.isMutating(), readStoredAdds()], [0, '']);
  assert.deepEqual(service.requests, ['POST /api/watchlist']);
});

test('sends the stored adds of a closed page for their own member only', async (t) => {
  const service = await serve();
  storage.set('tally.kept-adds', JSON.stringify({ member: 'user_other', adds: [security] }));
  await open(t);
  storage.set('tally.kept-adds', JSON.stringify({ member: 'user_ada', adds: [security] }));
  const hook = await open(t);
  await eventuallyEquals(
    () => [service.requests, readStoredAdds(), hook.queries.isMutating()],
    [['POST /api/watchlist'], '', 0],
  );
});

test('keeps a queued add until the server responds, also across a page close', async (t) => {
  const { promise: answered, resolve: respond } = Promise.withResolvers<void>();
  const service = await startStubService(async (call, body) => {
    if (call === 'GET /api/watchlist') return createWatchlist([], 20);
    await answered;
    return { item: createActiveRow((body as { symbol: string }).symbol) };
  });
  const hook = await open(t);
  onlineManager.setOnline(false);
  hook.current.add.mutate({ security });
  await eventually(() => readStoredAdds() !== '');
  onlineManager.setOnline(true);
  await eventuallyEquals(() => service.requests, ['POST /api/watchlist']);
  assert.match(readStoredAdds(), /"D"/);
  respond();
  await eventuallyEquals(() => [hook.queries.isMutating(), readStoredAdds()], [0, '']);
  assert.deepEqual(service.requests, ['POST /api/watchlist']);
});

test('removes a rejected add and shows the error', async (t) => {
  const service = await startStubService((call) =>
    call === 'GET /api/watchlist'
      ? createWatchlist([], 20)
      : Response.json({ code: 'WATCHLIST_LIMIT_REACHED', message: 'Full.', limit: 20, tier: 'free' }, { status: 403 }),
  );
  const hook = await open(t);
  onlineManager.setOnline(false);
  hook.current.add.mutate({ security });
  await eventually(() => readStoredAdds() !== '');
  onlineManager.setOnline(true);
  await eventuallyEquals(() => [hook.queries.isMutating(), readStoredAdds()], [0, '']);
  assert.deepEqual(
    [service.requests, listToastTexts().at(-1)],
    [['POST /api/watchlist'], 'Could not add Dee. Your watchlist is full (20 of 20).'],
  );
});

test('does not send a queued add again when another page has sent it', async (t) => {
  const service = await startStubService(() => createWatchlist([createActiveRow('D')], 20));
  const hook = await open(t);
  onlineManager.setOnline(false);
  hook.current.add.mutate({ security });
  await eventually(() => readStoredAdds() !== '');
  storage.clear();
  onlineManager.setOnline(true);
  await eventuallyEquals(() => hook.queries.isMutating(), 0);
  assert.deepEqual(service.requests, ['GET /api/watchlist']);
});

test('discards unsent adds at sign-out and shows a message', async (t) => {
  const service = await serve();
  const hook = await open(t);
  onlineManager.setOnline(false);
  hook.current.add.mutate({ security });
  await eventually(() => readStoredAdds() !== '');
  await session.signOut();
  assert.equal(readStoredAdds(), '');
  assert.equal(listToastTexts().at(-1), '1 ticker added offline was not saved.');
  assert.deepEqual(service.requests, []);
});
