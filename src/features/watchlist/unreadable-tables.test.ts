// @module-tag slow
import assert from 'node:assert/strict';
import { test } from 'vitest';
import pg from 'pg';
import { setUpWatchlistApp, type WatchlistApp } from '../../../test/support/watchlist.ts';
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

test('returns 503 from routes that need locks when subscriptions are unreadable', async () => {
  const member = await app.signUp('max');
  await member.addSymbols('AAPL', 'MSFT', 'KO');
  // The query bypasses the service, so that no tier of the last hour is cached.
  const rows = await app.owner<{ id: string }>(
    'select id from public.watchlist_items where idp_id = $1 order by position',
    [member.idpId],
  );
  const ids = rows.map(({ id }) => id);
  const memberRequests: [method: string, path: string, body?: object][] = [
    ['GET', '/api/watchlist'],
    ['GET', '/api/watchlist/ticker/AAPL'],
    ['GET', '/api/watchlist/ticker/XOM'],
    ['GET', '/api/watchlist/earnings'],
    ['GET', '/api/watchlist/export.csv'],
  ];
  // The service's own role reads the tier for these requests.
  const serviceRequests: typeof memberRequests = [
    ['POST', '/api/watchlist', { symbol: 'JPM' }],
    ['POST', '/api/watchlist', { symbol: 'NEWCO' }],
    ['POST', '/api/watchlist', { symbol: 'what is no symbol' }],
    ['POST', '/api/watchlist/import', { text: 'NEWCO' }],
  ];
  const registeredBefore = app.registered.length;
  for (const roles of ['service_role, authenticated', 'authenticated']) {
    await app.owner(`revoke select on public.subscriptions from ${roles}`);
    try {
      for (const [method, path, body] of roles === 'authenticated'
        ? memberRequests
        : [...memberRequests, ...serviceRequests]) {
        const response = await member.call(method, path, body);
        assert.deepEqual(
          [response.status, response.body.code, response.headers.get('retry-after')],
          [503, 'TIER_UNAVAILABLE', '5'],
          `${method} ${path}, ${roles}`,
        );
        assert.match(response.headers.get('content-type')!, /json/, 'no partial file');
      }
      assert.equal(
        (await member.call('GET', '/api/watchlist/ticker/%20')).status,
        404,
        'an invalid symbol is on no list',
      );
      const ordered = await member.call('PUT', '/api/watchlist/order', { ids });
      assert.deepEqual([ordered.status, ordered.body.items[0].locked], [200, null], 'an order needs no tier');
      if (roles === 'authenticated')
        assert.equal((await member.call('DELETE', `/api/watchlist/${ids[2]}`)).status, 204, 'a removal needs no tier');
    } finally {
      await app.owner(`grant select on public.subscriptions to ${roles}`);
    }
  }
  assert.deepEqual(await member.getSymbols(), ['AAPL', 'MSFT'], 'nothing was added');
  assert.equal(app.registered.length, registeredBefore, 'nothing was registered for a member whose tier is unknown');
  assert.deepEqual(await app.owner(`select symbol from public.tracked_tickers_latest where symbol = 'NEWCO'`), []);
  await app.owner('revoke select on public.watchlist_items from authenticated');
  try {
    for (const [method, path, body] of [...memberRequests, ['PUT', '/api/watchlist/order', { ids }] as const]) {
      const other = await member.call(method, path, body);
      assert.deepEqual(
        [other.status, other.body.code],
        [500, 'INTERNAL'],
        `${path}: another fault is not taken for the tier’s`,
      );
    }
  } finally {
    await app.owner('grant select on public.watchlist_items to authenticated');
  }
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

test('keeps connections for adds and new members when closes and reports hang', { tags: ['slow'] }, async () => {
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
