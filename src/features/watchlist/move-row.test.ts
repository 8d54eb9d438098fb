import assert from 'node:assert/strict';
import { test } from 'vitest';
import {
  getCompanySymbols,
  type TestMember,
  disableRollout,
  setUpWatchlistApp,
  type WatchlistApp,
} from '../../../test/support/watchlist.ts';

let app: WatchlistApp;
setUpWatchlistApp((started) => {
  app = started;
});

const move = (member: TestMember, id: string, position: unknown) =>
  member.call('PATCH', `/api/watchlist/${id}`, { position });

test('moves one row to a position and limits it to the last position', async () => {
  const member = await app.signUp('pro');
  await member.addSymbols('AAPL', 'KO', 'JPM', 'XOM', 'MSFT');
  const ids = (await member.getWatchlist()).items.map(({ id }) => id);
  // A gap, as a plain DELETE leaves, must not count as a position.
  await app.owner(`delete from public.watchlist_items where idp_id = $1 and symbol = 'KO'`, [member.idpId]);
  const steps: [id: number, position: number, order: string][] = [
    [4, 1, 'MSFT AAPL JPM XOM'],
    [4, 3, 'AAPL JPM MSFT XOM'],
    [0, 1_000_000, 'JPM MSFT XOM AAPL'],
    [0, 4, 'JPM MSFT XOM AAPL'],
  ];
  for (const [id, position, order] of steps) {
    const { status, body } = await move(member, ids[id]!, position);
    assert.equal(status, 200);
    const { items } = await member.getWatchlist();
    assert.equal(items.map(({ symbol }) => symbol).join(' '), order);
    assert.deepEqual(
      body.items,
      items.map(({ id: row, position: newPosition, locked }) => ({ id: row, position: newPosition, locked })),
    );
  }
  const rows = await app.owner(`select position from public.watchlist_items where idp_id = $1 order by 1`, [
    member.idpId,
  ]);
  assert.deepEqual(
    rows,
    [1, 2, 3, 4].map((position) => ({ position })),
  );
  assert.ok((await app.getEvents(member.idpId)).some(({ event }) => event === 'watchlist_reordered'));
});

test('unlocks a row that moves into the limit when the plan is unavailable', async () => {
  const member = await app.signUp('pro');
  await member.addSymbols(...getCompanySymbols(21));
  await app.billing.setTier(member.idpId, 'free');
  const ids = (await member.getWatchlist()).items.map(({ id }) => id);
  const locked = ({ items }: { items: { id: string; locked: boolean | null }[] }) =>
    items.filter((row) => row.locked).map(({ id }) => id);
  assert.deepEqual(locked((await move(member, ids[20]!, 1)).body), [ids[19]]);
  await app.owner('revoke select on public.subscriptions from service_role, authenticated');
  try {
    const { status, body } = await move(member, ids[20]!, 21);
    assert.deepEqual([status, locked(body)], [200, [ids[20]]]);
  } finally {
    await app.owner('grant select on public.subscriptions to service_role, authenticated');
  }
});

test('rejects moves of other members’ rows, or with invalid input', async () => {
  const member = await app.signUp();
  const other = await app.signUp();
  await member.addSymbols('AAPL', 'KO');
  const [row] = (await member.getWatchlist()).items;
  for (const id of [row!.id, '0199a7c2-5c1e-7d3a-9b52-3f0c8e6d1a47', 'no-id'])
    assert.deepEqual([(await move(other, id, 1)).status, (await move(other, id, 1)).body.code], [404, 'NOT_FOUND']);
  for (const position of [0, -1, 1.5, '2', null, 1_000_001, undefined])
    assert.deepEqual((await move(member, row!.id, position)).body.code, 'INVALID_REQUEST', String(position));
  const unknown = await member.call('PATCH', `/api/watchlist/${row!.id}`, { position: 2, symbol: 'KO' });
  assert.equal(unknown.body.code, 'INVALID_REQUEST');
  await disableRollout(app, member.idpId);
  const beyondEnd = await move(member, row!.id, 2);
  assert.deepEqual([beyondEnd.status, beyondEnd.body.message], [404, 'Not found.']);
  assert.deepEqual(
    await app.owner(`select symbol from public.watchlist_items where idp_id = $1 order by position`, [member.idpId]),
    [{ symbol: 'AAPL' }, { symbol: 'KO' }],
  );
});

test('accepts every move during adds and removals that reject reorders', { tags: ['slow'] }, async () => {
  const member = await app.signUp('pro');
  await member.addSymbols(...getCompanySymbols(10));
  const { items } = await member.getWatchlist();
  const ids = items.map(({ id }) => id);
  const orders: number[] = [];
  const moves: number[] = [];
  const concurrentMoves = (async () => {
    for (let index = 0; index < 12; index += 1) {
      await member.addSymbols(`AAA${index + 20}`);
      const { items: now } = await member.getWatchlist();
      await member.call('DELETE', `/api/watchlist/${now.at(-1)!.id}`);
      // The current list always differs from the list of the orders below.
      await member.addSymbols(`AAA${index + 40}`);
    }
  })();
  for (let index = 0; index < 12; index += 1) {
    moves.push((await move(member, ids[index % 10]!, (index % 5) + 1)).status);
    orders.push((await member.call('PUT', '/api/watchlist/order', { ids })).status);
  }
  await concurrentMoves;
  assert.deepEqual([...new Set(moves)], [200]);
  assert.ok(orders.includes(409), orders.join());
  const rows = await app.owner<{ position: number }>(
    `select position from public.watchlist_items where idp_id = $1 order by 1`,
    [member.idpId],
  );
  assert.deepEqual(
    rows.map(({ position }) => position),
    rows.map((_row, index) => index + 1),
  );
});
