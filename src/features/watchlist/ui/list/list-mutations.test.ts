// @module-tag alone
import assert from 'node:assert/strict';
import { test, type TestContext } from 'vitest';
import { eventually, eventuallyEquals } from '../../../../../test/support/eventually.ts';
import { type Fault, faults } from '../../../../../test/support/faults.ts';
import { renderHook, type RenderedHook } from '../../../../../test/support/render-hook.ts';
import { startStubService, type StubService } from '../../../../../test/support/stub-service.ts';
import { createActiveRow, createWatchlist } from '../../../../../test/support/watchlist-rows.ts';
import { toasts } from '../../../../ui/kit/toasts.ts';
import { session } from '../../../../ui/shell/session/session.ts';
import type { Watchlist } from '../../contract.ts';
import { useAddSymbol } from './add-item.ts';
import { useMoveItem } from './move-item.ts';
import { useRemoveItem } from './remove-item.ts';
import { watchlistQueryKey } from './watchlist-query.ts';

// Runs in a separate process, because the test replaces globals with browser stubs.

const ROWS = ['A', 'B', 'C'].map((symbol) => createActiveRow(symbol));
const security = { symbol: 'D', name: 'D', asset_type: 'stock', currency: 'USD', logo: null } as const;

/** A change as a screen makes it: the request, the error message, and the list after the change. */
interface Change {
  name: string;
  /** Plan limit, and the rows before the change. */
  limit?: number;
  initialSymbols: string[];
  endpoint: string;
  rejectionText: string;
  startMutation: () => () => void;
  done: string[];
}

const changes: readonly Change[] = [
  {
    name: 'add',
    initialSymbols: ['A', 'B', 'C'],
    endpoint: 'POST /api/watchlist',
    rejectionText: 'Could not add D.',
    startMutation: () => bindMutation(useAddSymbol(), { security }),
    done: ['A', 'B', 'C', 'D'],
  },
  {
    name: 'take a removal back to its place',
    initialSymbols: ['A', 'C'],
    endpoint: 'POST /api/watchlist',
    rejectionText: 'Could not add B.',
    startMutation: () =>
      bindMutation(useAddSymbol(), { security: { ...security, symbol: 'B', name: 'B' }, position: 2 }),
    done: ['A', 'B', 'C'],
  },
  {
    name: 'remove',
    initialSymbols: ['A', 'B', 'C'],
    endpoint: 'DELETE /api/watchlist/id-B',
    rejectionText: 'Could not remove B from your watchlist.',
    startMutation: () => bindMutation(useRemoveItem(), { ...ROWS[1]!, position: 2 }),
    done: ['A', 'C'],
  },
  {
    name: 'move a row',
    initialSymbols: ['A', 'B', 'C'],
    endpoint: 'PATCH /api/watchlist/id-B',
    rejectionText: 'Could not save the order.',
    startMutation: () => bindMutation(useMoveItem(), { symbol: 'B', to: 0 }),
    done: ['B', 'A', 'C'],
  },
  {
    name: 'choose which are active',
    limit: 2,
    initialSymbols: ['A', 'B', 'C*'],
    endpoint: 'PATCH /api/watchlist/id-C',
    rejectionText: 'Could not save the order.',
    startMutation: () => bindMutation(useMoveItem(), { symbol: 'C', to: 1 }),
    done: ['A', 'C', 'B*'],
  },
];

const bindMutation =
  <T>({ mutate }: { mutate: (variables: T) => void }, variables: T) =>
  () =>
    mutate(variables);

/** Returns the symbols on screen. A locked row has a star. */
const listShownSymbols = ({ queries }: RenderedHook<unknown>): string[] =>
  (queries.getQueryData<Watchlist>(watchlistQueryKey)?.items ?? []).map(
    ({ symbol, locked }) => `${symbol}${locked ? '*' : ''}`,
  );

const listToastTexts = (): string[] => toasts.get().map(({ text }) => text);

async function startHook(t: TestContext, { initialSymbols, limit = 20, startMutation }: Change) {
  toasts.set([]);
  const service: StubService = await startStubService((_call, body) => {
    const { symbol } = (body ?? {}) as { symbol?: string };
    return symbol ? { item: createActiveRow(symbol) } : undefined;
  });
  const hook = await renderHook(t, startMutation);
  const rows = initialSymbols.map((name) => {
    const row = createActiveRow(name.replace('*', ''));
    return name.endsWith('*') ? { ...row, locked: true as const } : row;
  });
  hook.queries.setQueryData(watchlistQueryKey, createWatchlist(rows, limit));
  return { service, hook };
}

for (const change of changes) {
  for (const [fault, message] of Object.entries(faults) as [Fault, string][]) {
    test(`${change.name}: restores the list, shows the error, retries when service ${fault}`, async (t) => {
      const { service, hook } = await startHook(t, change);
      service.fault = fault;
      hook.current();
      await eventually(() => listToastTexts().length > 0);
      assert.ok(listToastTexts().join().startsWith(`${change.rejectionText} ${message}`), listToastTexts().join());
      assert.deepEqual(listShownSymbols(hook), change.initialSymbols);
      // A request without a response may be lost, so the client sends it twice.
      assert.deepEqual(service.requests, Array(fault === 'never answers' ? 2 : 1).fill(change.endpoint));
      service.fault = null;
      const [notice] = toasts.get();
      assert.equal(notice?.action?.label, 'Try again');
      notice.action.run();
      await eventuallyEquals(() => [hook.queries.isMutating(), listShownSymbols(hook)], [0, change.done]);
    });
  }

  test(`${change.name}: waits for reauthentication when the session has ended`, async (t) => {
    const { service, hook } = await startHook(t, change);
    service.endSession();
    hook.current();
    await eventually(() => session.state.get().status === 'expired');
    assert.deepEqual(listShownSymbols(hook), change.done, 'on screen at once');
    await service.signIn();
    await eventuallyEquals(() => [hook.queries.isMutating(), listShownSymbols(hook)], [0, change.done]);
    assert.deepEqual(listToastTexts(), []);
    assert.equal(service.requests.at(-1), change.endpoint);
  });
}

test('refetches the list once after ten quick picks', async (t) => {
  const symbols = Array.from({ length: 10 }, (_, index) => `P${index}`);
  const service = await startStubService((_call, body) => ({
    item: createActiveRow((body as { symbol: string }).symbol),
  }));
  const hook = await renderHook(t, () => useAddSymbol());
  hook.queries.setQueryData(watchlistQueryKey, createWatchlist([], 20));
  let reads = 0;
  const stop = hook.queries.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'invalidate') reads += 1;
  });
  t.onTestFinished(stop);
  for (const symbol of symbols) await hook.current.mutateAsync({ security: { ...security, symbol } });
  await eventually(() => reads > 0);
  assert.deepEqual([service.requests.length, reads], [10, 1]);
  assert.deepEqual(listShownSymbols(hook), symbols);
});

test('sends only the first and last quick move of a row and keeps other rows’ moves', async (t) => {
  const bodies: unknown[] = [];
  const service = await startStubService((_call, body) => {
    bodies.push(body);
  });
  const hook = await renderHook(t, () => useMoveItem());
  hook.queries.setQueryData(watchlistQueryKey, createWatchlist(ROWS, 20));
  for (const to of [1, 2, 1]) hook.current.mutate({ symbol: 'A', to });
  hook.current.mutate({ symbol: 'C', to: 0 });
  for (const to of [1, 2]) hook.current.mutate({ symbol: 'A', to });
  assert.deepEqual(listShownSymbols(hook), ['C', 'B', 'A'], 'on screen at once');
  await eventually(() => hook.queries.isMutating() === 0);
  const moveEndpoint = (symbol: string): string => `PATCH /api/watchlist/id-${symbol}`;
  const sent = service.requests.map((call, index) => `${call} ${(bodies[index] as { position: number }).position}`);
  assert.deepEqual(sent.slice(-3), [`${moveEndpoint('A')} 2`, `${moveEndpoint('C')} 1`, `${moveEndpoint('A')} 3`]);
  assert.ok(sent.length <= 4, sent.join());
  assert.deepEqual([listShownSymbols(hook), listToastTexts()], [['C', 'B', 'A'], []]);
});
