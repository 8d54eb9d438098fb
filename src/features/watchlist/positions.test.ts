import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import pg from 'pg';
import { eventually } from '../../../test/support/eventually.ts';
import type { ApiResponse } from '../../../test/support/identity.ts';
import {
  getCompanySymbols,
  type TestMember,
  setUpWatchlistApp,
  type WatchlistApp,
} from '../../../test/support/watchlist.ts';

/**
 * These tests read stored positions. The API numbers rows on read, so its positions cannot prove the stored positions.
 */
let app: WatchlistApp;
setUpWatchlistApp((started) => {
  app = started;
});

interface Stored {
  id: string;
  symbol: string;
  position: number;
  updated_at: string;
}
const stored = ({ idpId }: TestMember) =>
  app.owner<Stored>(
    `select id, symbol, position, updated_at::text from public.watchlist_items where idp_id = $1 order by position`,
    [idpId],
  );
const formatPositions = (rows: readonly Stored[]) => rows.map(({ symbol, position }) => `${symbol} ${position}`);
const listPositions = async (member: TestMember) => formatPositions(await stored(member));

/**
 * Locks a member's list, so that every change of the list waits. `countWaiting` returns the number of waiting changes.
 */
async function lockList({ idpId }: TestMember): Promise<{ countWaiting(): Promise<number>; release(): Promise<void> }> {
  const client = new pg.Client({ connectionString: app.ownerUrl });
  await client.connect();
  await client.query('begin');
  const { rows } = await client.query<{ pid: number }>(`select pg_backend_pid() as pid, public.lock_watchlist($1)`, [
    idpId,
  ]);
  return {
    async countWaiting() {
      const [row] = await app.owner<{ n: number }>(
        `select count(*)::int as n from pg_locks w where not w.granted and $1 = any (pg_blocking_pids(w.pid))`,
        [rows[0]!.pid],
      );
      return row!.n;
    },
    release: () => client.end(),
  };
}

describe('stored positions', () => {
  test('stay dense after a removal and close a gap of a plain DELETE', async () => {
    const member = await app.signUp();
    await member.addSymbols('AAPL', 'KO', 'JPM', 'XOM');
    const [, second] = await stored(member);
    assert.equal((await member.call('DELETE', `/api/watchlist/${second!.id}`)).status, 204);
    assert.deepEqual(await listPositions(member), ['AAPL 1', 'JPM 2', 'XOM 3']);
    await app.database
      .asMember({ sub: member.idpId })
      .query(`delete from public.watchlist_items where symbol = 'AAPL'`);
    const { items } = (await member.call('GET', '/api/watchlist')).body as { items: Stored[] };
    assert.deepEqual(formatPositions(items), ['JPM 1', 'XOM 2']);
    await member.addSymbols('KO');
    assert.deepEqual(await listPositions(member), ['JPM 1', 'XOM 2', 'KO 3']);
  });

  test('change only for rows that a reorder moves', async () => {
    const member = await app.signUp();
    await member.addSymbols('AAPL', 'KO', 'JPM');
    const [a, b, c] = (await stored(member)) as [Stored, Stored, Stored];
    assert.equal((await member.call('PUT', '/api/watchlist/order', { ids: [b.id, a.id, c.id] })).status, 200);
    const after_ = await stored(member);
    assert.deepEqual(formatPositions(after_), ['KO 1', 'AAPL 2', 'JPM 3']);
    assert.deepEqual(
      after_.map(({ updated_at }, i) => updated_at === [b, a, c][i]!.updated_at),
      [false, false, true],
    );
  });

  test('stay unchanged after a dry run of an import, gaps included', async () => {
    const member = await app.signUp();
    await member.addSymbols('AAPL', 'KO');
    await app.owner(`update public.watchlist_items set position = 7 where idp_id = $1 and symbol = 'KO'`, [
      member.idpId,
    ]);
    const before_ = await stored(member);
    assert.equal(
      (await member.call('POST', '/api/watchlist/import?dry_run=1', { text: 'JPM' })).body.rows[0].outcome,
      'added',
    );
    assert.deepEqual(await stored(member), before_);
    await member.call('POST', '/api/watchlist/import', { text: 'JPM' });
    assert.deepEqual(await listPositions(member), ['AAPL 1', 'KO 2', 'JPM 3']);
  });
});

describe('database rules', () => {
  test('enforce the limit on a direct undo', async () => {
    const member = await app.signUp();
    await member.addSymbols(...getCompanySymbols(20));
    for (const position of [null, 1, 20]) {
      await assert.rejects(
        app.database.service.query(`select public.add_watchlist_item($1, 'KO', $2)`, [member.idpId, position]),
        { message: 'watchlist_limit_reached' },
        `at ${position}`,
      );
    }
    assert.equal((await stored(member)).length, 20);
  });

  test('accept one of two waiting adds of a symbol and reject the other', async () => {
    const member = await app.signUp();
    const listLock = await lockList(member);
    const addRequests = [1, 2].map(() => member.call('POST', '/api/watchlist', { symbol: 'KO' }));
    try {
      // Both requests have read the list without the symbol by now.
      await eventually(async () => (await listLock.countWaiting()) === 2);
    } finally {
      await listLock.release();
    }
    const [accepted, rejection] = (await Promise.all(addRequests)).toSorted((a, b) => a.status - b.status) as [
      ApiResponse,
      ApiResponse,
    ];
    assert.deepEqual([accepted.status, rejection.status, rejection.body.code], [201, 409, 'ALREADY_WATCHED']);
    assert.equal(rejection.body.item.id, accepted.body.item.id);
  });
});

test('accept adds and imports when a member wrote positions directly', async () => {
  const member = await app.signUp('pro');
  await member.addSymbols('AAPL', 'KO', 'MSFT');
  const write = (symbol: string, position: number) =>
    app.owner('update public.watchlist_items set position = $3 where idp_id = $1 and symbol = $2', [
      member.idpId,
      symbol,
      position,
    ]);
  await write('MSFT', 4);
  assert.equal((await member.call('POST', '/api/watchlist', { symbol: 'XOM' })).body.item?.position, 4);
  await write('XOM', 2_147_483_647);
  await write('AAPL', 2_000);
  assert.equal((await member.call('POST', '/api/watchlist', { symbol: 'VOO', position: 2 })).body.item?.position, 2);
  await write('KO', 9);
  assert.equal(
    (await member.call('POST', '/api/watchlist/import', { text: getCompanySymbols(2).join('\n') })).status,
    200,
  );
  const { items } = await member.getWatchlist();
  assert.deepEqual(
    items.map(({ position }) => position),
    items.map((_, index) => index + 1),
  );
  assert.equal(items.length, 7);
  assert.deepEqual(
    await listPositions(member),
    items.map(({ symbol }, index) => `${symbol} ${index + 1}`),
  );
});

test('reject a reorder that is not exactly the caller’s ids', async () => {
  const member = await app.signUp();
  const other = await app.signUp();
  await member.addSymbols('AAPL', 'KO', 'JPM');
  await other.addSymbols('XOM');
  const ids = (await member.getWatchlist()).items.map(({ id }) => id);
  const [a, b, c] = ids as [string, string, string];
  const foreign = (await other.getWatchlist()).items[0]!.id;
  const noItem = '00000000-0000-4000-8000-000000000000';
  for (const invalidIds of [[a, b], [a, b, c, c], [a, a, b], [a, b, foreign], [a, b, c, foreign], [a, b, noItem], []]) {
    const { status, body } = await member.call('PUT', '/api/watchlist/order', { ids: invalidIds });
    assert.deepEqual([status, body.code, body.ids], [409, 'ORDER_CONFLICT', ids], invalidIds.join());
  }
  const { status, body } = await member.call('PUT', '/api/watchlist/order', { ids: [c, a, b] });
  assert.deepEqual([status, body.items], [200, [c, a, b].map((id, i) => ({ id, position: i + 1, locked: false }))]);
  assert.equal((await member.call('DELETE', `/api/watchlist/${a}`)).status, 204);
  const stale = await member.call('PUT', '/api/watchlist/order', { ids: [a, b, c] });
  assert.deepEqual([stale.status, stale.body.ids], [409, [c, b]]);
  assert.deepEqual(await other.getSymbols(), ['XOM']);
});
