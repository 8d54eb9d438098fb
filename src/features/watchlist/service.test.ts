import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import pg from 'pg';
import { eventually } from '../../../test/support/eventually.ts';
import { SECRET_KEY, SITE, sendRequest, TestBrowser } from '../../../test/support/identity.ts';
import { startService, type TestService } from '../../../test/support/service.ts';
import { tickerDetail, watchedEarnings, watchlist } from './contract.ts';

/** Tests the slice with its real dependencies: market simulator, investments, billing, flags, analytics and worker. */
let service: TestService;
beforeAll(async () => {
  service = await startService({ BASE_URL: SITE, API_RATE_LIMIT: '100000', IDP_SECRET_KEY: SECRET_KEY });
});
afterAll(() => service.stop());

async function signIn(tier: 'free' | 'pro' | 'max', { url, firstRun } = service) {
  const { email, password, idp_user_id: idpId } = firstRun.members.find((member) => member.tier === tier)!;
  return { idpId, call: await createCaller(url, { identifier: email, password }) };
}

/** Creates an API caller with one credential. */
async function createCaller(url: string, credentials: object) {
  const browser = new TestBrowser(url);
  const { body } = await browser.call('POST', '/client/sign_ins', credentials);
  const authorization = `Bearer ${await browser.token(body.response.created_session_id)}`;
  return (method: string, path: string, sent?: object, headers: Record<string, string> = {}) =>
    sendRequest(`${url}${path}`, method, sent, { authorization, ...headers });
}

test('gives each sample member a list of their plan with prices and charts', async () => {
  for (const [tier, limit] of [
    ['free', 20],
    ['pro', 100],
    ['max', 250],
  ] as const) {
    const { call } = await signIn(tier);
    const read = async () => watchlist.parse((await call('GET', '/api/watchlist')).body);
    await eventually(async () => (await read()).items.every((item) => !item.locked && item.closes !== null));
    const list = await read();
    assert.deepEqual([list.tier, list.limit, list.history], [tier, limit, 'ok']);
    assert.ok(list.item_count >= 5 && list.market !== null);
    for (const item of list.items) {
      assert.ok(!item.locked && item.price !== null && item.sample, item.symbol);
      assert.equal(item.closes?.length, 30, item.symbol);
    }
  }
});

test('stores a year of candles and the event after an add', async () => {
  const { idpId, call } = await signIn('max');
  const catalog = await service.database.owner<{ symbol: string }>(`
    select t.symbol from public.tracked_tickers_latest t
     where t.asset_type = 'stock' and t.name is not null
       and not exists (select from public.tracked_tickers_historical h where h.ticker_id = t.ticker_id)
       and t.symbol <> all (array(select w.symbol from public.watchlist_items w)) order by t.symbol limit 1`);
  const symbol = catalog[0]?.symbol ?? 'ORCL';
  assert.equal((await call('POST', '/api/watchlist', { symbol })).status, 201);
  await eventually(
    async () => '1Y' in (await call('GET', `/api/watchlist/ticker/${encodeURIComponent(symbol)}`)).body.ranges,
  );
  const detail = tickerDetail.parse((await call('GET', `/api/watchlist/ticker/${encodeURIComponent(symbol)}`)).body);
  assert.ok(detail.low_52w! <= detail.closes![0]![1] && detail.high_52w! >= detail.closes![0]![1]);
  await eventually(
    async () =>
      (
        await service.database.owner(
          `select 1 from public.analytics_events
           where idp_id = $1 and event = 'watchlist_symbol_added' and properties ->> 'symbol' = $2`,
          [idpId, symbol],
        )
      ).length === 1,
  );
});

test('adds the service’s list state to a browser event', async () => {
  const { idpId, call } = await signIn('free');
  const { item_count } = watchlist.parse((await call('GET', '/api/watchlist')).body);
  const properties = { sort: 'name', feature: 'other', tier: 'max', limit: 250, item_count: 99, locked_count: 99 };
  assert.equal(
    (await call('POST', '/api/analytics/events', { events: [{ event: 'watchlist_sort_changed', properties }] })).status,
    202,
  );
  const listStoredEvents = () =>
    service.database.owner<{ properties: object }>(
      `select properties from public.analytics_events where idp_id = $1 and event = 'watchlist_sort_changed'`,
      [idpId],
    );
  await eventually(async () => (await listStoredEvents()).length > 0);
  assert.deepEqual((await listStoredEvents())[0]!.properties, {
    sort: 'name',
    feature: 'watchlist',
    tier: 'free',
    limit: 20,
    item_count,
    locked_count: 0,
  });
});

test('rejects crypto and unknown symbols with the real catalog', async () => {
  const { call } = await signIn('pro');
  const codes: [symbol: string, status: number, code: string][] = [
    ['BTC-USD', 422, 'UNSUPPORTED_ASSET'],
    ['ZZZZZQ', 404, 'UNKNOWN_SYMBOL'],
  ];
  for (const [symbol, status, code] of codes) {
    const response = await call('POST', '/api/watchlist', { symbol });
    assert.deepEqual([response.status, response.body.code], [status, code], symbol);
  }
  const { body } = await call('POST', '/api/watchlist/import?dry_run=1', { text: 'KO\nZZZZZQ\nBTC-USD' });
  assert.deepEqual(
    body.rows.map(({ outcome }: { outcome: string }) => outcome),
    ['added', 'unknown', 'unsupported'],
  );
});

test('returns earnings of companies within 90 days and never of funds', async () => {
  const { call } = await signIn('max');
  const { status, body } = await call('GET', '/api/watchlist/earnings');
  const { earnings, complete } = watchedEarnings.parse(body);
  assert.deepEqual([status, complete], [200, true]);
  assert.ok(
    earnings.length > 0 &&
      earnings.every(({ market_days, watching }) => market_days >= 0 && market_days <= 64 && watching),
  );
  assert.ok(earnings.every(({ symbol }) => !['VOO', 'SCHD', 'VXUS'].includes(symbol)));
});

test('returns the holdings by account in the detail of a held symbol', async () => {
  const { idpId, call } = await signIn('max');
  const [held] = await service.database.owner<{ symbol: string; quantity: number }>(
    `
    select symbol, sum(quantity)::float8 as quantity from public.manual_public_holdings where idp_id = $1
      group by symbol order by symbol limit 1`,
    [idpId],
  );
  await call('POST', '/api/watchlist', { symbol: held!.symbol });
  const { positions } = tickerDetail.parse(
    (await call('GET', `/api/watchlist/ticker/${encodeURIComponent(held!.symbol)}`)).body,
  );
  assert.equal(positions.reduce((sum, { quantity }) => sum + quantity, 0).toFixed(6), held!.quantity.toFixed(6));
});

test('returns lists without reports and accepts adds when reports hang', { tags: ['slow'] }, async () => {
  const { call } = await signIn('max');
  const lockClient = new pg.Client({ connectionString: service.database.ownerUrl });
  await lockClient.connect();
  await lockClient.query('begin');
  await lockClient.query('lock table market.earnings_cache in access exclusive mode');
  try {
    const lists = await Promise.all(Array.from({ length: 25 }, () => call('GET', '/api/watchlist')));
    assert.deepEqual(
      lists.map(({ status, body }) => [status, body.items?.[0].next_report]),
      lists.map(() => [200, null]),
    );
    const { body } = await call('GET', '/api/watchlist');
    assert.equal((await call('DELETE', `/api/watchlist/${body.items[0].id}`)).status, 204);
    assert.equal((await call('POST', '/api/watchlist', { symbol: body.items[0].symbol, position: 1 })).status, 201);
  } finally {
    await lockClient.end();
  }
});

test('keeps watched symbols out of holdings', { tags: ['slow'] }, async () => {
  const { idpId, call } = await signIn('free');
  const fetchNetWorth = async () =>
    (await call('GET', '/api/net-worth')).body.currencies.map(
      ({ currency, total }: { currency: string; total: number }) => [currency, total],
    );
  const searchResults = async (headers = {}) => {
    const { body } = await call('GET', '/api/investments/search?q=KO', undefined, headers);
    return body.groups
      .flatMap(({ results }: { results: { symbol: string }[] }) => results)
      .find(({ symbol }: { symbol: string }) => symbol === 'KO');
  };
  const hasCard = async () =>
    (await call('GET', '/api/dashboard')).body.cards.some(({ id }: { id: string }) => id === 'watchlist');
  const tourHeaders = { 'x-demo-tour': '1' };
  const before_ = await fetchNetWorth();
  assert.deepEqual(
    [(await searchResults()).watched, (await searchResults(tourHeaders)).watched, await hasCard()],
    [false, false, true],
  );
  assert.equal((await call('POST', '/api/watchlist', { symbol: 'KO' })).status, 201);
  assert.equal((await searchResults()).watched, true);
  assert.deepEqual(await fetchNetWorth(), before_);
  await service.database.owner(
    `insert into public.feature_flag_members (flag, idp_id, enabled) values ('dashboard-watchlist-v01', $1, false)`,
    [idpId],
  );
  await eventually(async () => (await call('GET', '/api/watchlist')).status === 404);
  assert.deepEqual(
    ['watched' in (await searchResults()), 'watched' in (await searchResults(tourHeaders)), await hasCard()],
    [false, false, false],
  );
});
