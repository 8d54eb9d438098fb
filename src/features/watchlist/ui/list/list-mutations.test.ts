import assert from 'node:assert/strict';
import { test, type TestContext } from 'vitest';
import { eventually, eventuallyEquals } from '../../../../../test/support/eventually.ts';
import { type Fault, faults } from '../../../../../test/support/faults.ts';
import { runHook, type RunningHook } from '../../../../../test/support/run-hook.ts';
import { serveStub, type StubService } from '../../../../../test/support/stub-service.ts';
import { activeRow, listOf } from '../../../../../test/support/watchlist-rows.ts';
import { toasts } from '../../../../ui/kit/toasts.ts';
import { session } from '../../../../ui/shell/session/session.ts';
import type { Watchlist } from '../../contract.ts';
import { useAddSymbol } from './add-item.ts';
import { useMoveItem } from './move-item.ts';
import { useRemoveItem } from './remove-item.ts';
import { LIST } from './watchlist-query.ts';

// Runs in a process of its own: what stands in for a browser's page are globals.

const ROWS = ['A', 'B', 'C'].map((symbol) => activeRow(symbol));
const security = { symbol: 'D', name: 'D', asset_type: 'stock', currency: 'USD', logo: null } as const;

/**
 * A change as a screen makes it: what it asks of the service, what is said where it fails, and what the list is once it
 * is done.
 */
interface Change {
  name: string;
  /** How many rows the plan has, and the rows before. */
  limit?: number;
  before: string[];
  wire: string;
  refusal: string;
  use: () => () => void;
  done: string[];
}

const changes: readonly Change[] = [
  {
    name: 'add',
    before: ['A', 'B', 'C'],
    wire: 'POST /api/watchlist',
    refusal: 'D was not added.',
    use: () => bind(useAddSymbol(), { security }),
    done: ['A', 'B', 'C', 'D'],
  },
  {
    name: 'take a removal back to its place',
    before: ['A', 'C'],
    wire: 'POST /api/watchlist',
    refusal: 'B was not added.',
    use: () => bind(useAddSymbol(), { security: { ...security, symbol: 'B', name: 'B' }, position: 2 }),
    done: ['A', 'B', 'C'],
  },
  {
    name: 'remove',
    before: ['A', 'B', 'C'],
    wire: 'DELETE /api/watchlist/id-B',
    refusal: 'B was not removed.',
    use: () => bind(useRemoveItem(), { ...ROWS[1]!, position: 2 }),
    done: ['A', 'C'],
  },
  {
    name: 'move a row',
    before: ['A', 'B', 'C'],
    wire: 'PATCH /api/watchlist/id-B',
    refusal: 'The order was not saved.',
    use: () => bind(useMoveItem(), { symbol: 'B', to: 0 }),
    done: ['B', 'A', 'C'],
  },
  {
    name: 'choose which are active',
    limit: 2,
    before: ['A', 'B', 'C*'],
    wire: 'PATCH /api/watchlist/id-C',
    refusal: 'The order was not saved.',
    use: () => bind(useMoveItem(), { symbol: 'C', to: 1 }),
    done: ['A', 'C', 'B*'],
  },
];

const bind =
  <T>({ mutate }: { mutate: (what: T) => void }, what: T) =>
  () =>
    mutate(what);

/** The list on screen; a locked row has a star. */
const shown = ({ queries }: RunningHook<unknown>): string[] =>
  (queries.getQueryData<Watchlist>(LIST)?.items ?? []).map(({ symbol, locked }) => `${symbol}${locked ? '*' : ''}`);

const said = (): string[] => toasts.get().map(({ text }) => text);

async function begin(t: TestContext, { before, limit = 20, use }: Change) {
  toasts.set([]);
  const service: StubService = await serveStub((_call, body) => {
    const { symbol } = (body ?? {}) as { symbol?: string };
    return symbol ? { item: activeRow(symbol) } : undefined;
  });
  const hook = await runHook(t, use);
  const rows = before.map((name) => {
    const row = activeRow(name.replace('*', ''));
    return name.endsWith('*') ? { ...row, locked: true as const } : row;
  });
  hook.queries.setQueryData(LIST, listOf(rows, limit));
  return { service, hook };
}

for (const change of changes) {
  for (const [fault, words] of Object.entries(faults) as [Fault, string][]) {
    test(`${change.name}: where the service ${fault} the list is as before, it is said, a retry works`, async (t) => {
      const { service, hook } = await begin(t, change);
      service.fault = fault;
      hook.current();
      await eventually(() => said().length > 0);
      assert.ok(said().join().startsWith(`${change.refusal} ${words}`), said().join());
      assert.deepEqual(shown(hook), change.before);
      // What got no answer may have been lost on its way: it is sent once more.
      assert.deepEqual(service.sent, Array(fault === 'never answers' ? 2 : 1).fill(change.wire));
      service.fault = null;
      const [notice] = toasts.get();
      assert.equal(notice?.action?.label, 'Try again');
      notice.action.run();
      await eventuallyEquals(() => [hook.queries.isMutating(), shown(hook)], [0, change.done]);
    });
  }

  test(`${change.name}: a session that has ended keeps the change until the member is back`, async (t) => {
    const { service, hook } = await begin(t, change);
    service.endSession();
    hook.current();
    await eventually(() => session.state.get().status === 'expired');
    assert.deepEqual(shown(hook), change.done, 'at once on screen');
    await service.signIn();
    await eventuallyEquals(() => [hook.queries.isMutating(), shown(hook)], [0, change.done]);
    assert.deepEqual(said(), []);
    assert.equal(service.sent.at(-1), change.wire);
  });
}

test('ten picks in a row have the list read again once', async (t) => {
  const symbols = Array.from({ length: 10 }, (_, index) => `P${index}`);
  const service = await serveStub((_call, body) => ({ item: activeRow((body as { symbol: string }).symbol) }));
  const hook = await runHook(t, () => useAddSymbol());
  hook.queries.setQueryData(LIST, listOf([], 20));
  let reads = 0;
  const stop = hook.queries.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'invalidate') reads += 1;
  });
  t.onTestFinished(stop);
  for (const symbol of symbols) await hook.current.mutateAsync({ security: { ...security, symbol } });
  await eventually(() => reads > 0);
  assert.deepEqual([service.sent.length, reads], [10, 1]);
  assert.deepEqual(shown(hook), symbols);
});

test('of quick moves of one row the first and the last are sent; another row’s is kept', async (t) => {
  const bodies: unknown[] = [];
  const service = await serveStub((_call, body) => void bodies.push(body));
  const hook = await runHook(t, () => useMoveItem());
  hook.queries.setQueryData(LIST, listOf(ROWS, 20));
  for (const to of [1, 2, 1]) hook.current.mutate({ symbol: 'A', to });
  hook.current.mutate({ symbol: 'C', to: 0 });
  for (const to of [1, 2]) hook.current.mutate({ symbol: 'A', to });
  assert.deepEqual(shown(hook), ['C', 'B', 'A'], 'at once on screen');
  await eventually(() => hook.queries.isMutating() === 0);
  const wire = (symbol: string): string => `PATCH /api/watchlist/id-${symbol}`;
  const sent = service.sent.map((call, index) => `${call} ${(bodies[index] as { position: number }).position}`);
  assert.deepEqual(sent.slice(-3), [`${wire('A')} 2`, `${wire('C')} 1`, `${wire('A')} 3`]);
  assert.ok(sent.length <= 4, sent.join());
  assert.deepEqual([shown(hook), said()], [['C', 'B', 'A'], []]);
});
