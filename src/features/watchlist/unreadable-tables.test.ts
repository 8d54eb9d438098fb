// @module-tag slow
import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import pg from 'pg';
import { setUpWatchlistApp, type TestMember, type WatchlistApp } from '../../../test/support/watchlist.ts';
import { watchlist } from './contract.ts';

let app: WatchlistApp;
setUpWatchlistApp((started) => {
  app = started;
});

/** Locks a table, so that every read of the table waits until the returned function is called. */
async function lock(table: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: app.ownerUrl });
  await client.connect();
  await client.query('begin');
  await client.query(`lock table ${table} in access exclusive mode`);
  return () => client.end();
}

type Request = [method: string, path: string, body?: object];

/** Requests for which the member's own role reads the tier. */
const MEMBER_REQUESTS: readonly Request[] = [
  ['GET', '/api/watchlist'],
  ['GET', '/api/watchlist/ticker/AAPL'],
  ['GET', '/api/watchlist/ticker/XOM'],
  ['GET', '/api/watchlist/earnings'],
  ['GET', '/api/watchlist/export.csv'],
];
/** Requests for which the service's own role reads the tier. */
const SERVICE_REQUESTS: readonly Request[] = [
  ['POST', '/api/watchlist', { symbol: 'JPM' }],
  ['POST', '/api/watchlist', { symbol: 'NEWCO' }],
  ['POST', '/api/watchlist', { symbol: 'what is no symbol' }],
  ['POST', '/api/watchlist/import', { text: 'NEWCO' }],
];

/** Signs up a member with a list whose tier no request has cached. */
async function signUpWithUncachedTier() {
  const member = await app.signUp('max');
  await member.addSymbols('AAPL', 'MSFT', 'KO');
  const rows = await app.owner<{ id: string }>(
    'select id from public.watchlist_items where idp_id = $1 order by position',
    [member.idpId],
  );
  return { member, ids: rows.map(({ id }) => id) };
}

/** Runs `work` while these roles cannot read a table. */
async function withoutSelect(table: string, roles: string, work: () => Promise<void>): Promise<void> {
  await app.owner(`revoke select on ${table} from ${roles}`);
  try {
    await work();
  } finally {
    await app.owner(`grant select on ${table} to ${roles}`);
  }
}

describe('when subscriptions are unreadable', () => {
  const assertTierUnavailable = async (member: TestMember, requests: readonly Request[]): Promise<void> => {
    for (const [method, path, body] of requests) {
      const response = await member.call(method, path, body);
      assert.deepEqual(
        [response.status, response.body.code, response.headers.get('retry-after')],
        [503, 'TIER_UNAVAILABLE', '5'],
        `${method} ${path}`,
      );
      assert.match(response.headers.get('content-type')!, /json/, 'no partial file');
    }
  };

  test('returns 503 without an add when the tier is unavailable', async () => {
    const { member } = await signUpWithUncachedTier();
    const registeredBefore = app.registered.length;

    await withoutSelect('public.subscriptions', 'service_role, authenticated', () =>
      assertTierUnavailable(member, [...MEMBER_REQUESTS, ...SERVICE_REQUESTS]),
    );

    assert.deepEqual(await member.getSymbols(), ['AAPL', 'MSFT', 'KO']);
    assert.equal(app.registered.length, registeredBefore);
    assert.deepEqual(await app.owner(`select symbol from public.tracked_tickers_latest where symbol = 'NEWCO'`), []);
  });

  test('returns 503 from reads when only the member’s role cannot read them', async () => {
    const { member } = await signUpWithUncachedTier();

    await withoutSelect('public.subscriptions', 'authenticated', () => assertTierUnavailable(member, MEMBER_REQUESTS));
  });

  test.each(['service_role, authenticated', 'authenticated'])('serves what needs no tier without %s', async (roles) => {
    const { member, ids } = await signUpWithUncachedTier();

    await withoutSelect('public.subscriptions', roles, async () => {
      const invalid = await member.call('GET', '/api/watchlist/ticker/%20');
      assert.equal(invalid.status, 404, 'an invalid symbol is on no list');
      const ordered = await member.call('PUT', '/api/watchlist/order', { ids });
      assert.deepEqual([ordered.status, ordered.body.items[0].locked], [200, null]);
    });
  });

  test('removes an entry when only the member’s role cannot read them', async () => {
    const { member, ids } = await signUpWithUncachedTier();

    await withoutSelect('public.subscriptions', 'authenticated', async () =>
      assert.equal((await member.call('DELETE', `/api/watchlist/${ids[2]}`)).status, 204),
    );

    assert.deepEqual(await member.getSymbols(), ['AAPL', 'MSFT']);
  });
});

test('returns 500, not 503, when the list itself is unreadable', async () => {
  const { member, ids } = await signUpWithUncachedTier();

  await withoutSelect('public.watchlist_items', 'authenticated', async () => {
    for (const [method, path, body] of [...MEMBER_REQUESTS, ['PUT', '/api/watchlist/order', { ids }] as const]) {
      const response = await member.call(method, path, body);
      assert.deepEqual([response.status, response.body.code], [500, 'INTERNAL'], path);
    }
  });
});

test('returns rows without charts when the history fails or hangs', async () => {
  const member = await app.signUp();
  await member.addSymbols('AAPL');
  const assertWithoutCharts = async (): Promise<void> => {
    const { status, body } = await member.call('GET', '/api/watchlist');
    watchlist.parse(body);
    assert.deepEqual(
      [status, body.history, body.items[0].closes, body.items[0].price],
      [200, 'unavailable', null, 200.5],
    );
  };
  await app.owner('revoke select on public.tracked_tickers_historical from service_role');
  try {
    await assertWithoutCharts();
    const detail = await member.call('GET', '/api/watchlist/ticker/AAPL');
    assert.deepEqual(
      [detail.status, detail.body.history, detail.body.ranges, detail.body.price],
      [200, 'unavailable', {}, 200.5],
    );
  } finally {
    await app.owner('grant select on public.tracked_tickers_historical to service_role');
  }
  const free = await lock('market.recent_closes');
  await assertWithoutCharts().finally(free);
  assert.equal((await member.getWatchlist()).history, 'ok');
});

test('keeps connections for adds and new members when closes and reports hang', async () => {
  const member = await app.signUp('pro');
  await member.addSymbols('AAPL');
  const free = await lock('market.recent_closes');
  app.market.pending.add('reports');
  try {
    const lists = await Promise.all(Array.from({ length: 25 }, () => member.call('GET', '/api/watchlist')));
    assert.deepEqual(
      lists.map(({ status, body }) => [status, body.history, body.items[0].next_report]),
      lists.map(() => [200, 'unavailable', null]),
    );
    const added = await member.call('POST', '/api/watchlist', { symbol: 'KO' });
    assert.deepEqual([added.status, added.body.item?.closes, added.body.item?.next_report], [201, null, null]);
    assert.equal((await (await app.signUp()).call('GET', '/api/watchlist')).status, 200);
  } finally {
    app.market.pending.delete('reports');
    await free();
  }
});
