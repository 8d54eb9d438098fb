import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'vitest';
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

describe('when tiers are unavailable', () => {
  /** Signs up a member who has 22 rows, of which a plan of Free locks two. No request can read the tier again. */
  async function signUpBeforeOutage() {
    const member = await app.signUp('pro');
    await member.addSymbols('AAPL', ...getCompanySymbols(20), 'MSFT');
    await app.billing.setTier(member.idpId, 'free');
    const before = await member.getWatchlist();
    assert.equal('tier_stale' in before, false);
    await app.owner('revoke select on public.subscriptions from service_role, authenticated');
    const request = { headers: {} } as never;
    return {
      member,
      before,
      ids: before.items.map(({ id }) => id),
      readWatched: () =>
        app.feature.readWatched(request, { ...member, sessionId: '', isSampleUser: false }, { includeLocked: false }),
    };
  }
  const endOutage = () => app.owner('grant select on public.subscriptions to service_role, authenticated');
  afterEach(async () => {
    clock = NOW;
    await endOutage();
  });

  test('returns the list with prices, charts and locks of the cached tier', async () => {
    const { member, before, readWatched } = await signUpBeforeOutage();

    const list = watchlist.parse((await member.call('GET', '/api/watchlist')).body);

    assert.deepEqual({ ...list, tier_stale: undefined }, { ...before, tier_stale: undefined });
    assert.equal(list.tier_stale, true);
    assert.deepEqual(await readWatched(), {
      watched: before.items.slice(0, 20).map(({ symbol }) => symbol),
      isWatchlistAvailable: true,
    });
  });

  test('returns details and reports of rows that are not locked', async () => {
    const { member } = await signUpBeforeOutage();

    const detail = await member.call('GET', '/api/watchlist/ticker/AAPL');
    const lockedDetail = await member.call('GET', '/api/watchlist/ticker/MSFT');
    const reports = watchedEarnings.parse((await member.call('GET', '/api/watchlist/earnings')).body);

    assert.deepEqual([detail.status, detail.body.tier_stale, detail.body.price], [200, true, 200.5]);
    assert.equal(lockedDetail.status, 404);
    assert.deepEqual([reports.tier_stale, reports.earnings.map(({ symbol }) => symbol)], [true, ['AAPL']]);
  });

  test('reorders the list and rejects a stale order', async () => {
    const { member, ids } = await signUpBeforeOutage();

    const moved = await member.call('PUT', '/api/watchlist/order', { ids: [ids[21]!, ...ids.slice(0, 21)] });
    const stale = await member.call('PUT', '/api/watchlist/order', { ids: ids.slice(1) });

    assert.deepEqual([moved.status, moved.body.items[0].id, moved.body.items[20].locked], [200, ids[21], true]);
    assert.deepEqual([stale.status, stale.body.code, stale.body.ids.length], [409, 'ORDER_CONFLICT', 22]);
    await endOutage();
    const after = await member.getWatchlist();
    assert.deepEqual([after.items[0]!.id, 'tier_stale' in after], [ids[21], false]);
  });

  test('rejects adds and exports, which require a current tier', async () => {
    const { member } = await signUpBeforeOutage();

    for (const [path, body] of [
      ['/api/watchlist', { symbol: 'KO' }],
      ['/api/watchlist/import', { text: 'KO' }],
    ] as const)
      assert.deepEqual((await member.call('POST', path, body)).body.code, 'TIER_UNAVAILABLE', path);
    assert.equal((await member.call('GET', '/api/watchlist/export.csv')).status, 503);
  });

  test('rejects reads after an hour', async () => {
    const { member, readWatched } = await signUpBeforeOutage();

    clock = new Date(NOW.getTime() + 60 * 60_000 + 1);

    const later = await member.call('GET', '/api/watchlist');
    assert.deepEqual([later.status, later.body.code], [503, 'TIER_UNAVAILABLE']);
    assert.deepEqual(await readWatched(), { watched: undefined, isWatchlistAvailable: false });
  });
});
