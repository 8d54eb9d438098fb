import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'vitest';
import { recordStatements } from '../../../test/support/statement-log.ts';
import { sendRequest } from '../../../test/support/identity.ts';
import {
  type TestMember,
  disableRollout,
  setUpWatchlistApp,
  type WatchlistApp,
} from '../../../test/support/watchlist.ts';

let app: WatchlistApp;
let member: TestMember;
setUpWatchlistApp(async (started) => {
  app = started;
  member = await app.signUp();
  await member.addSymbols('AAPL', 'KO');
});

const TOUR = { 'x-demo-tour': '1' };
const JSON_TEXT = { 'content-type': 'application/json' };

const listIds = async (otherMember: TestMember): Promise<string[]> =>
  (await otherMember.getWatchlist()).items.map(({ id }) => id);

test('returns an empty Free list during the demo tour', async (t) => {
  const statements = recordStatements(t);
  const { body } = await member.call('GET', '/api/watchlist', undefined, TOUR);
  const counts = { tier: 'free', limit: 20, item_count: 0, locked_count: 0 };
  assert.deepEqual(body, { ...counts, items: [], market: null, history: 'ok' });
  const none = { earnings: [], complete: true, sample_data: false };
  assert.deepEqual((await member.call('GET', '/api/watchlist/earnings', undefined, TOUR)).body, none);
  assert.equal((await member.call('GET', '/api/watchlist/ticker/AAPL', undefined, TOUR)).status, 404);
  assert.equal(
    (await member.call('GET', '/api/watchlist/export.csv', undefined, TOUR)).body.split('\r\n').length,
    2,
    'only the header',
  );
  assert.deepEqual(
    statements.filter((text) => text.includes('watchlist_items')),
    [],
  );
});

test('treats x-demo-tour as on only when its value is 1', async () => {
  for (const value of ['0', '', 'true', '1, 1'])
    assert.equal(
      (await member.call('GET', '/api/watchlist', undefined, { 'x-demo-tour': value })).body.item_count,
      2,
      value,
    );
});

test('shows the sample user their list', async () => {
  const sample = await app.signUp();
  await sample.addSymbols('AAPL', 'KO');
  app.identity.accounts.sampleUserId = sample.idpId;
  const { body } = await sample.call('GET', '/api/watchlist');
  assert.deepEqual(
    [body.item_count, body.items.map(({ symbol }: { symbol: string }) => symbol), body.items[0].price],
    [2, ['AAPL', 'KO'], 200.5],
  );
  assert.equal((await sample.call('GET', '/api/watchlist/ticker/AAPL')).body.symbol, 'AAPL');
  assert.deepEqual(
    (await sample.call('GET', '/api/watchlist/earnings')).body.earnings.map(({ symbol }: { symbol: string }) => symbol),
    ['AAPL', 'KO'],
  );
  assert.equal((await sample.call('GET', '/api/watchlist/export.csv')).body.split('\r\n').length, 4);
  assert.deepEqual((await sample.call('GET', '/api/watchlist', undefined, { 'x-demo-tour': '1' })).body.items, []);
});

test('hides other members’ rows and rejects changes to them', async () => {
  const other = await app.signUp();
  await other.addSymbols('JPM');
  const memberIds = await listIds(member);
  const otherIds = await listIds(other);
  for (const id of memberIds) assert.equal((await other.call('DELETE', `/api/watchlist/${id}`)).status, 404);
  const moved = await other.call('PUT', '/api/watchlist/order', { ids: memberIds });
  assert.deepEqual(
    [moved.status, moved.body.ids],
    [409, otherIds],
    'the response contains the caller’s ids, not the sent ids',
  );
  assert.equal((await other.call('GET', '/api/watchlist/ticker/KO')).status, 404);
  assert.deepEqual(await listIds(member), memberIds);
});

test('removes nothing for invalid ids', async () => {
  for (const id of ['1', 'x', "' or true --", '%00', '..', 'order', `${(await listIds(member))[0]}0`]) {
    const { status } = await member.call('DELETE', `/api/watchlist/${id}`);
    // The client removes "." and ".." from the URL, so that another route is requested.
    assert.ok(status === 404 || (status === 405 && /^(\.\.|order)$/.test(id)), `${id}: ${status}`);
  }
  assert.equal((await listIds(member)).length, 2);
});

test('returns 400 with the invalid path for malformed bodies', async () => {
  const invalidRequests: [method: string, path: string, body: unknown, where: string][] = [
    ['POST', '/api/watchlist', {}, 'symbol'],
    ['POST', '/api/watchlist', { symbol: 5 }, 'symbol'],
    ['POST', '/api/watchlist', { symbol: '' }, 'symbol'],
    ['POST', '/api/watchlist', { symbol: 'A'.repeat(65) }, 'symbol'],
    ['POST', '/api/watchlist', { symbol: 'JPM', idp_id: 'user_x' }, ''],
    ['POST', '/api/watchlist', { symbol: 'JPM', position: 0 }, 'position'],
    ['POST', '/api/watchlist', { symbol: 'JPM', position: 1.5 }, 'position'],
    ['POST', '/api/watchlist', { symbol: 'JPM', position: 1_000_001 }, 'position'],
    ['POST', '/api/watchlist', [], ''],
    ['PUT', '/api/watchlist/order', { ids: 'all' }, 'ids'],
    ['PUT', '/api/watchlist/order', { ids: ['not-a-uuid'] }, 'ids.0'],
    ['POST', '/api/watchlist/import', { text: 5 }, 'text'],
    ['POST', '/api/watchlist/import?dry_run=yes', { text: 'JPM' }, 'dry_run'],
  ];
  for (const [method, path, body, errorPath] of invalidRequests) {
    const response = await member.call(method, path, JSON.stringify(body), JSON_TEXT);
    assert.deepEqual(
      [response.status, response.body.code, response.body.issues[0].path],
      [400, 'INVALID_REQUEST', errorPath],
      `${path} ${JSON.stringify(body)}`,
    );
  }
  for (const text of ['{', '', 'null', '"JPM"', '{"symbol":"JPM"']) {
    assert.equal((await member.call('POST', '/api/watchlist', text, JSON_TEXT)).status, 400, text);
  }
  assert.equal(
    (await member.call('POST', '/api/watchlist', 'symbol=JPM', { 'content-type': 'application/x-www-form-urlencoded' }))
      .status,
    415,
  );
});

test('returns 405 with the allowed methods for a wrong method', async () => {
  const { status, headers } = await member.call('PATCH', '/api/watchlist');
  assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD, POST']);
  const order = await member.call('GET', '/api/watchlist/order');
  assert.deepEqual([order.status, order.headers.get('allow')], [405, 'DELETE, PATCH, PUT']);
  assert.equal(
    (await sendRequest(`${app.url}/api/watchlist`, 'PATCH', undefined, {})).status,
    401,
    'authentication is checked before the method',
  );
});

describe('when the flag is off', () => {
  const createRoutes = (id: string): [method: string, path: string, body?: object | string][] => [
    ['GET', '/api/watchlist'],
    ['POST', '/api/watchlist', { symbol: 'KO' }],
    ['POST', '/api/watchlist', '{ not json'],
    ['PUT', '/api/watchlist/order', { ids: [id] }],
    ['DELETE', `/api/watchlist/${id}`],
    ['GET', '/api/watchlist/ticker/AAPL'],
    ['GET', '/api/watchlist/earnings'],
    ['POST', '/api/watchlist/import', { text: 'KO' }],
    ['GET', '/api/watchlist/export.csv'],
    ['GET', '/api/watchlist/nothing/is/here'],
    ['PATCH', '/api/watchlist'],
    ['DELETE', '/api/watchlist'],
    ['OPTIONS', '/api/watchlist'],
    ['GET', '/api/watchlist/order'],
    ['PUT', `/api/watchlist/${id}`],
    ['POST', '/api/watchlist/ticker/AAPL'],
    ['OPTIONS', '/api/watchlist/import'],
  ];

  /** Disables the flag of a member with a list. `statements` then contains what the database receives. */
  async function disableFlag(t: TestContext) {
    const member = await app.signUp();
    await member.addSymbols('AAPL');
    const { id } = (await member.getWatchlist()).items[0]!;
    const statements = recordStatements(t);
    const readsOfList = () => statements.filter((text) => text.includes('watchlist'));
    await member.call('GET', '/api/watchlist');
    assert.ok(readsOfList().length > 0, 'the statement log contains the read of the list');
    await disableRollout(app, member.idpId);
    statements.length = 0;
    return { member, id, statements, readsOfList };
  }

  test('returns 404 from every route like an unknown one without a query', async (t) => {
    const { member, id, statements, readsOfList } = await disableFlag(t);
    const { body: unknown } = await member.call('GET', '/api/nothing-is-here');

    for (const [method, path, body] of createRoutes(id)) {
      const headers = { ...TOUR, ...JSON_TEXT };
      for (const response of [await member.call(method, path, body), await member.call(method, path, body, headers)]) {
        assert.equal(response.status, 404, `${method} ${path}`);
        assert.deepEqual([response.body, response.headers.get('allow')], [unknown, null], `${method} ${path}`);
      }
    }

    assert.ok(
      statements.some((text) => text.includes('feature_flags')),
      'the statement log records',
    );
    assert.deepEqual(readsOfList(), []);
  });

  test('returns no symbols to other cards without a query', async (t) => {
    const { member, readsOfList } = await disableFlag(t);

    const symbols = await app.feature.listWatchedSymbols(
      { idpId: member.idpId, sessionId: 's', isSampleUser: false },
      { includeLocked: true },
    );

    assert.equal(symbols, undefined);
    assert.deepEqual(readsOfList(), []);
  });
});
