import assert from 'node:assert/strict';
import { test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import {
  getCompanySymbols,
  disableRollout,
  setUpWatchlistApp,
  type WatchlistApp,
} from '../../../test/support/watchlist.ts';

let app: WatchlistApp;
setUpWatchlistApp((started) => {
  app = started;
});

test('sends feature, tier, limit, item_count and locked_count with every event', async () => {
  const member = await app.signUp();
  await member.addSymbols('AAPL', 'KO');
  const ids = (await member.getWatchlist()).items.map(({ id }) => id);
  await member.call('PUT', '/api/watchlist/order', { ids: ids.toReversed() });
  await member.call('DELETE', `/api/watchlist/${ids[0]}`);
  await member.call('POST', '/api/watchlist', { symbol: 'AAPL', position: 1 });
  await member.call('POST', '/api/watchlist/import', { text: getCompanySymbols(25).join(',') });
  await member.call('POST', '/api/watchlist', { symbol: 'XOM' });
  let events = await app.getEvents(member.idpId);
  await eventually(async () => {
    events = await app.getEvents(member.idpId);
    return events.length === 7;
  });
  const shared = ['feature', 'tier', 'limit', 'item_count', 'locked_count'];
  const seen = events.map(({ event, properties }) => [event, ...shared.map((name) => properties[name])]);
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
    events.map(({ properties }) => properties['symbol']),
    ['AAPL', 'KO', undefined, 'AAPL', 'AAPL', undefined, undefined],
  );
});

test('ignores implausible tier and list figures from the browser', async () => {
  const member = await app.signUp();
  await member.addSymbols('AAPL', 'KO');
  const memberContext = { idpId: member.idpId, sessionId: 's' };
  const getContexts = () => app.feature.getEventContext(memberContext, ['watchlist_viewed', 'something_else']);
  assert.deepEqual(
    [...(await getContexts())],
    [['watchlist_viewed', { feature: 'watchlist', tier: 'free', limit: 20, item_count: 2, locked_count: 0 }]],
  );
  const without = async (table: string) => {
    await app.owner(`revoke select on public.${table} from authenticated`);
    return getContexts().finally(() => app.owner(`grant select on public.${table} to authenticated`));
  };
  assert.deepEqual(
    [...(await without('watchlist_items'))],
    [['watchlist_viewed', { tier: undefined, limit: undefined, item_count: undefined, locked_count: undefined }]],
  );
  await member.addSymbols('MSFT');
  assert.deepEqual(
    [...(await without('subscriptions'))],
    [['watchlist_viewed', { feature: 'watchlist', tier: 'free', limit: 20, item_count: 3, locked_count: 0 }]],
    'tier from the cache, length from the list',
  );
  await disableRollout(app, member.idpId);
  assert.deepEqual(Object.values((await getContexts()).get('watchlist_viewed')!), Array(4).fill(undefined));
});

test('writes a change and its event in one transaction', async () => {
  const member = await app.signUp();
  await member.addSymbols('AAPL', 'KO', 'MSFT');
  const [first, second] = (await member.getWatchlist()).items;
  const count = async () => (await app.getEvents(member.idpId)).length;
  assert.equal(await count(), 3);
  await app.owner(
    `alter table public.analytics_events add constraint none_now check (occurred_at < '2000-01-01') not valid`,
  );
  const changes = [
    await member.call('POST', '/api/watchlist', { symbol: 'XOM' }),
    await member.call('DELETE', `/api/watchlist/${first!.id}`),
    await member.call('PATCH', `/api/watchlist/${first!.id}`, { position: 3 }),
    await member.call('POST', '/api/watchlist/import', { text: 'XOM' }),
  ];
  await app.owner('alter table public.analytics_events drop constraint none_now');
  assert.deepEqual(
    changes.map(({ status }) => status),
    [500, 500, 500, 500],
  );
  assert.deepEqual([await member.getSymbols(), await count()], [['AAPL', 'KO', 'MSFT'], 3]);
  await member.call('DELETE', `/api/watchlist/${second!.id}`);
  assert.equal((await member.call('DELETE', `/api/watchlist/${second!.id}`)).status, 404);
  assert.equal(await count(), 4, 'a request without a change captures no event');
});

test('sends all five properties when the tier comes from the cache', async () => {
  const member = await app.signUp('pro');
  await member.addSymbols(...getCompanySymbols(22));
  await app.billing.setTier(member.idpId, 'free');
  const { items } = await member.getWatchlist();
  const ids = items.map(({ id }) => id);
  await app.owner('revoke select on public.subscriptions from service_role, authenticated');
  const responses = [];
  try {
    responses.push(
      await member.call('DELETE', `/api/watchlist/${ids[0]}`),
      await member.call('PUT', '/api/watchlist/order', { ids: ids.slice(1).toReversed() }),
      await member.call('PATCH', `/api/watchlist/${ids[1]}`, { position: 1 }),
    );
  } finally {
    await app.owner('grant select on public.subscriptions to service_role, authenticated');
  }
  assert.deepEqual(
    responses.map(({ status }) => status),
    [204, 200, 200],
  );
  const figures = { feature: 'watchlist', tier: 'free', limit: 20, item_count: 21, locked_count: 1 };
  assert.deepEqual(
    (await app.getEvents(member.idpId)).slice(-3).map(({ event, properties }) => [event, properties]),
    [
      ['watchlist_symbol_removed', { ...figures, symbol: items[0]!.symbol }],
      ['watchlist_reordered', figures],
      ['watchlist_reordered', figures],
    ],
  );
});

test('sends a reduced event and keeps the change when the tier is unknown', async () => {
  const member = await app.signUp();
  const { body } = await member.call('POST', '/api/watchlist', { symbol: 'AAPL' });
  await member.call('POST', '/api/watchlist', { symbol: 'KO' });
  await app.owner('alter view public.member_tiers rename to member_tiers_renamed');
  const removed = await member
    .call('DELETE', `/api/watchlist/${body.item.id}`)
    .finally(() => app.owner('alter view public.member_tiers_renamed rename to member_tiers'));
  assert.equal(removed.status, 204);
  assert.deepEqual((await app.getEvents(member.idpId)).at(-1)!.properties, {
    feature: 'watchlist',
    item_count: 1,
    symbol: 'AAPL',
  });
});

test('keeps events local when the browser or the member opted out', async () => {
  const member = await app.signUp();
  const add = (symbol: string, headers: Record<string, string> = {}) =>
    member.call('POST', '/api/watchlist', { symbol }, headers);
  await add('AAPL');
  await add('KO', { 'sec-gpc': '1' });
  await add('MSFT', { dnt: '1' });
  await app.owner(`insert into public.analytics_choices (idp_id, enabled) values ($1, false)`, [member.idpId]);
  await add('XOM');
  const [first] = (await member.getWatchlist()).items;
  await member.call('PATCH', `/api/watchlist/${first!.id}`, { position: 2 });
  await app.owner(`delete from public.analytics_choices where idp_id = $1`, [member.idpId]);
  await member.call('DELETE', `/api/watchlist/${first!.id}`, undefined, { 'sec-gpc': '1' });
  await add('AAPL');
  const rows = await app.owner<{ local_only: boolean }>(
    'select local_only from public.analytics_events where idp_id = $1 order by occurred_at',
    [member.idpId],
  );
  assert.deepEqual(
    rows.map(({ local_only }) => local_only),
    [false, true, true, true, true, true, false],
  );
});
