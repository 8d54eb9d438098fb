import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../test/support/eventually.ts';
import { many, turnOff, useWatchlistApp, type WatchlistApp } from '../../test/support/watchlist.ts';

let app: WatchlistApp;
useWatchlistApp((started) => (app = started));

test('every event carries feature, tier, limit, item_count and locked_count', async () => {
  const member = await app.signUp();
  const events = () => app.events.filter(({ idpId }) => idpId === member.idpId);
  await member.add('AAPL', 'KO');
  const ids = (await member.list()).items.map(({ id }) => id);
  await member.call('PUT', '/api/watchlist/order', { ids: ids.toReversed() });
  await eventually(() => events().length === 3);
  await member.call('DELETE', `/api/watchlist/${ids[0]}`);
  await eventually(() => events().length === 4);
  await member.call('POST', '/api/watchlist', { symbol: 'AAPL', position: 1 });
  await member.call('POST', '/api/watchlist/import', { text: many(25).join(',') });
  await eventually(() => events().length === 6);
  await member.call('POST', '/api/watchlist', { symbol: 'XOM' });
  await eventually(() => events().length === 7);
  const shared = ['feature', 'tier', 'limit', 'item_count', 'locked_count'];
  const seen = events().map(({ event, properties }) => [event, ...shared.map((name) => properties[name])]);
  assert.deepEqual(seen, [
    ['watchlist_symbol_added', 'watchlist', 'free', 20, 1, 0],
    ['watchlist_symbol_added', 'watchlist', 'free', 20, 2, 0],
    ['watchlist_reordered', 'watchlist', 'free', 20, 2, 0],
    ['watchlist_symbol_removed', 'watchlist', 'free', 20, 1, 0],
    ['watchlist_removal_undone', 'watchlist', 'free', 20, 2, 0],
    ['watchlist_imported', 'watchlist', 'free', 20, 20, 0],
    ['watchlist_limit_reached', 'watchlist', 'free', 20, 20, 0],
  ]);
  assert.deepEqual(
    events().map(({ properties }) => properties['symbol']),
    ['AAPL', 'KO', undefined, 'AAPL', 'AAPL', undefined, undefined],
  );
});

test('a browser is not believed about the tier and the list', async () => {
  const member = await app.signUp();
  await member.add('AAPL', 'KO');
  const asker = { idpId: member.idpId, sessionId: 's' };
  const told = () => app.slice.knownOf(asker, ['watchlist_viewed', 'something_else']);
  assert.deepEqual(
    [...(await told())],
    [['watchlist_viewed', { feature: 'watchlist', tier: 'free', limit: 20, item_count: 2, locked_count: 0 }]],
  );
  for (const table of ['subscriptions', 'watchlist_items']) {
    await app.owner(`revoke select on public.${table} from authenticated`);
    const unknown = await told().finally(() => app.owner(`grant select on public.${table} to authenticated`));
    assert.deepEqual(
      [...unknown],
      [['watchlist_viewed', { tier: undefined, limit: undefined, item_count: undefined, locked_count: undefined }]],
      `${table} cannot be read`,
    );
  }
  await turnOff(app, member.idpId);
  assert.deepEqual(Object.values((await told()).get('watchlist_viewed')!), Array(4).fill(undefined));
});
