import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { assertDocumented } from '../../../../test/support/documented-responses.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { isDistributedRun } from '../../../../test/support/database.ts';
import { SECRET_KEY, SITE, sendRequest, TestBrowser } from '../../../../test/support/identity.ts';
import { startService, type TestService } from '../../../../test/support/service.ts';
import { recordStatements } from '../../../../test/support/statement-log.ts';
import type { HomeResponse } from './contract.ts';

/** Tests the route with its real dependencies: simulator, portfolio, connections, watchlist, plans and flags. */
let service: TestService;
let authorization: string;
let idpId: string;
beforeAll(async () => {
  service = await startService({ BASE_URL: SITE, API_RATE_LIMIT: '100000', IDP_SECRET_KEY: SECRET_KEY, WORKER: 'off' });
  const member = service.firstRun.members.find(({ tier }) => tier === 'max')!;
  idpId = member.idp_user_id;
  const browser = new TestBrowser(service.url);
  const { body } = await browser.call('POST', '/client/sign_ins', {
    identifier: member.email,
    password: member.password,
  });
  authorization = `Bearer ${await browser.token(body.response.created_session_id)}`;
  await call('POST', '/api/accounts', { name: 'Abroad', currency: 'GBP', balance: 0.1 });
});
afterAll(() => service.stop());

async function call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const response = await sendRequest(service.url + path, method, body, { authorization, ...headers });
  assertDocumented(method, path, response, headers);
  return response;
}

const getBody = async (path: string, headers?: Record<string, string>) => {
  const { status, body } = await call('GET', path, undefined, headers);
  assert.equal(status, 200, path);
  return body;
};
const getHome = async (headers?: Record<string, string>): Promise<HomeResponse> => getBody('/api/home', headers);

/** The routes of the cards, whose responses are the parts. */
const parts = {
  layout: '/api/dashboard',
  net_worth: '/api/net-worth?days=366',
  accounts: '/api/accounts',
  holdings: '/api/portfolio/holdings',
  connections: '/api/connections',
  earnings: '/api/earnings',
  dividends: '/api/dividends',
  news: '/api/news?limit=20',
  watchlist: '/api/watchlist',
  watched_earnings: '/api/watchlist/earnings',
} as const;

/** Reads each part by its own route, which fetches what is missing. */
async function readParts(): Promise<Record<string, unknown>> {
  const read: Record<string, unknown> = {};
  for (const [name, path] of Object.entries(parts)) read[name] = await getBody(path);
  return read;
}

test('answers each part as the route of its card does', async () => {
  const expected = await readParts();
  const home = await getHome();
  for (const name of Object.keys(parts) as (keyof typeof parts)[]) assert.deepEqual(home[name], expected[name], name);
  assert.deepEqual(Object.keys(home).sort(), Object.keys(parts).sort());
  assert.ok(home.net_worth!.base.rates.some(({ currency }) => currency === 'GBP'));
  assert.ok(home.watchlist!.items.length > 0 && home.holdings!.holdings.length > 0);
  assert.ok(home.earnings!.earnings.length > 0 && home.news!.articles.length > 0);
  assert.ok(home.watched_earnings!.earnings.length > 0);
});

test('reads all money figures in one of at most ten statements', async (t) => {
  await readParts();
  const statements = recordStatements(t);
  await getHome();
  const settings = statements.filter((text) => text.includes('feature_flags'));
  // The embedded identity provider delivers webhooks meanwhile.
  const reads = statements.filter((text) => !/feature_flags|idp\./.test(text));
  // Flags are cached for some seconds. A cluster needs three more for each of the member's reads.
  const maxReads = isDistributedRun() ? 19 : 10;
  assert.ok(settings.length <= 1 && reads.length <= maxReads, statements.join('\n'));
  assert.ok(reads.some((text) => text.includes('exchange_rates')));
  const moneyReads = reads.filter((text) =>
    /get_net_worth|net_worth_snapshots|net_worth_flows|public\.accounts/.test(text),
  );
  assert.equal(moneyReads.length, 1, moneyReads.join('\n'));
});

test('leaves out news and reports that must first be fetched', async () => {
  await readParts();
  await service.database.owner('delete from market.news_cache');
  await service.database.owner('delete from market.earnings_cache');
  const home = await getHome();
  assert.deepEqual(
    [home.news, home.watched_earnings, home.layout.cards.length > 0, home.watchlist!.items.length > 0],
    [undefined, undefined, true, true],
  );
  await readParts();
  assert.ok('news' in (await getHome()) && 'watched_earnings' in (await getHome()));
});

test('answers the other parts when the watchlist or the connections are unavailable', async () => {
  const expected = await readParts();
  await service.database.owner('alter table public.watchlist_items rename to hidden_items');
  try {
    const home = await getHome();
    assert.deepEqual(['watchlist' in home, 'watched_earnings' in home], [false, false]);
    assert.deepEqual(
      [home.net_worth, home.holdings, home.layout],
      [expected['net_worth'], expected['holdings'], expected['layout']],
    );
    assert.equal(home.earnings!.complete, false);
    assert.deepEqual(home.earnings, await getBody('/api/earnings'));
  } finally {
    await service.database.owner('alter table public.hidden_items rename to watchlist_items');
  }
  await service.database.owner('alter table public.connections rename to hidden_connections');
  try {
    const { connections, ...others } = await getHome();
    const { connections: _, ...expectedOthers } = expected;
    assert.deepEqual([connections, others], [undefined, expectedOthers]);
  } finally {
    await service.database.owner('alter table public.hidden_connections rename to connections');
  }
});

test('answers without the parts of removed cards', async () => {
  const { cards } = (await getHome()).layout;
  const save = (ids: readonly string[]) => call('PUT', '/api/dashboard', { cards: ids.map((id) => ({ id })) });
  assert.equal((await save(['accounts', 'watchlist'])).status, 200);
  const home = await getHome();
  await save(cards.map(({ id }) => id));
  assert.deepEqual(Object.keys(home).sort(), ['accounts', 'connections', 'layout', 'watched_earnings', 'watchlist']);
});

test('leaves the list to its own route during the demo tour', async () => {
  const headers = { 'x-demo-tour': '1' };
  const earnings = await getBody(parts.earnings, headers);
  const news = await getBody(parts.news, headers);
  const home = await getHome(headers);
  assert.deepEqual(['watchlist' in home, 'watched_earnings' in home], [false, false]);
  assert.deepEqual([home.earnings, home.news], [earnings, news]);
});

test('sends no query of the watchlist outside the rollout', async (t) => {
  const { database } = service;
  await database.owner(
    `insert into public.feature_flag_members (flag, idp_id, enabled) values ('dashboard-watchlist-v01', $1, false)`,
    [idpId],
  );
  await eventually(async () => (await getHome()).watchlist === null);
  await getBody('/api/earnings');
  const statements = recordStatements(t);
  const home = await getHome();
  assert.deepEqual(
    statements.filter((text) => text.includes('watchlist_items')),
    [],
  );
  assert.equal('watched_earnings' in home, false);
  assert.ok(![...home.layout.cards, ...home.layout.removed].some(({ id }) => id === 'watchlist'));
  assert.ok(home.earnings!.earnings.every(({ watching }) => !watching));
  await database.owner('delete from public.feature_flag_members where idp_id = $1', [idpId]);
});
