import assert from 'node:assert/strict';
import { test } from 'vitest';
import { getCompanySymbols, NOW, setUpWatchlistApp, type WatchlistApp } from '../../../test/support/watchlist.ts';
import { watchedEarnings, watchlist } from './contract.ts';

let app: WatchlistApp;
let clock = NOW;
setUpWatchlistApp(
  (started) => {
    app = started;
  },
  () => ({ now: () => clock }),
);

test('returns stale reads for an hour and rejects adds when tiers are unavailable', async () => {
  const member = await app.signUp('pro');
  await member.addSymbols('AAPL', ...getCompanySymbols(20), 'MSFT');
  await app.billing.setTier(member.idpId, 'free');
  const before = await member.getWatchlist();
  assert.equal('tier_stale' in before, false);
  const ids = before.items.map(({ id }) => id);
  const request = { headers: {} } as never;
  const watched = () =>
    app.slice.readWatched(request, { ...member, sessionId: '', isSampleUser: false }, { includeLocked: false });
  await app.owner('revoke select on public.subscriptions from service_role, authenticated');
  try {
    const list = watchlist.parse((await member.call('GET', '/api/watchlist')).body);
    assert.deepEqual(
      { ...list, tier_stale: undefined },
      { ...before, tier_stale: undefined },
      'prices, charts and locks',
    );
    assert.equal(list.tier_stale, true);
    const detail = await member.call('GET', '/api/watchlist/ticker/AAPL');
    assert.deepEqual([detail.status, detail.body.tier_stale, detail.body.price], [200, true, 200.5]);
    assert.equal((await member.call('GET', '/api/watchlist/ticker/MSFT')).status, 404, 'a locked row stays locked');
    const reports = watchedEarnings.parse((await member.call('GET', '/api/watchlist/earnings')).body);
    assert.deepEqual([reports.tier_stale, reports.earnings.map(({ symbol }) => symbol)], [true, ['AAPL']]);
    assert.deepEqual(await watched(), {
      watched: before.items.slice(0, 20).map(({ symbol }) => symbol),
      isWatchlistAvailable: true,
    });

    const moved = await member.call('PUT', '/api/watchlist/order', { ids: [ids[21]!, ...ids.slice(0, 21)] });
    assert.deepEqual([moved.status, moved.body.items[0].id, moved.body.items[20].locked], [200, ids[21], true]);
    const stale = await member.call('PUT', '/api/watchlist/order', { ids: ids.slice(1) });
    assert.deepEqual([stale.status, stale.body.code, stale.body.ids.length], [409, 'ORDER_CONFLICT', 22]);
    for (const [path, body] of [
      ['/api/watchlist', { symbol: 'KO' }],
      ['/api/watchlist/import', { text: 'KO' }],
    ] as const)
      assert.deepEqual((await member.call('POST', path, body)).body.code, 'TIER_UNAVAILABLE', `${path} stays strict`);
    assert.equal(
      (await member.call('GET', '/api/watchlist/export.csv')).status,
      503,
      'an export requires a current tier',
    );

    clock = new Date(NOW.getTime() + 60 * 60_000 + 1);
    const later = await member.call('GET', '/api/watchlist');
    assert.deepEqual(
      [later.status, later.body.code],
      [503, 'TIER_UNAVAILABLE'],
      'the cached tier expires after one hour',
    );
    assert.deepEqual(await watched(), { watched: undefined, isWatchlistAvailable: false });
  } finally {
    await app.owner('grant select on public.subscriptions to service_role, authenticated');
    clock = NOW;
  }
  const after = await member.getWatchlist();
  assert.deepEqual([after.items[0]!.id, 'tier_stale' in after], [ids[21], false]);
});
