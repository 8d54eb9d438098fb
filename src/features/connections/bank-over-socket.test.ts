import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, test } from 'vitest';
import type { AggregatorCall } from '../../../test/support/fault-proxy.ts';
import { type AggregatorOverSocket, startAggregatorOverSocket } from '../../../test/support/aggregator-over-socket.ts';
import { finish, startAttempt, completeBankPage } from '../../../test/support/connections-app.ts';
import { eventually, eventuallyEquals } from '../../../test/support/eventually.ts';
import { sendRequest } from '../../../test/support/identity.ts';
import { REVOKE_ACCESS } from './enqueue-revocation.ts';
import { createSigner } from '../../embedded/bank/sign-webhook.ts';
import { SYNC_CONNECTION } from './sync-connection.ts';

let harness: AggregatorOverSocket;
beforeAll(async () => {
  harness = await startAggregatorOverSocket('bank');
});
afterAll(() => harness.close());
beforeEach(() => {
  harness.fault = undefined;
  harness.rewrite = undefined;
  harness.calls.length = 0;
});

async function connect(member: string): Promise<string> {
  await harness.app.owner(`insert into public.all_users (idp_id) values ($1) on conflict do nothing`, [member]);
  const { attempt_id, url } = await startAttempt(harness.app, member);
  await completeBankPage(harness.embeddedAggregator, url);
  const { body } = await finish(harness.app, member, attempt_id);
  assert.equal(body.status, 'connected');
  return body.connection.id as string;
}

const run = (task: string, payload: object) => harness.app.connections.tasks![task]!(payload as never, {} as never);
const KEY_LOOKUP_PATH = '/webhook_verification_key/get';
const sync = (id: string) => run(SYNC_CONNECTION, { connection_id: id });
const respondWith =
  (status: number, body: string, headers = {}) =>
  (_call: AggregatorCall, response: ServerResponse) => {
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  };

test('runs the life of a connection with the aggregator’s library over a socket', async () => {
  const id = await connect('user_a');
  await eventually(
    () => harness.calls.includes(KEY_LOOKUP_PATH),
    () => 'the page’s webhook came',
  );
  await sync(id);
  await harness.app.owner(`update bank_sandbox.items set state = 'login_required'`);
  const { attempt_id, url } = await startAttempt(harness.app, 'user_a', { repair: id });
  await completeBankPage(harness.embeddedAggregator, url);
  const repaired = await finish(harness.app, 'user_a', attempt_id);
  assert.deepEqual([repaired.body.status, repaired.body.connection.id], ['connected', id]);
  await harness.app.call('DELETE', `/api/connections/${id}`, 'user_a');
  const [revocation] = await harness.app.owner<{ id: string }>('select id from public.connection_revocations');
  await run(REVOKE_ACCESS, { removal_id: revocation!.id });
  assert.deepEqual(await harness.app.owner(`select state from bank_sandbox.items`), [{ state: 'removed' }]);
  assert.deepEqual([...new Set(harness.calls)].filter((path) => path !== KEY_LOOKUP_PATH).sort(), [
    '/accounts/get',
    '/investments/holdings/get',
    '/item/get',
    '/item/public_token/exchange',
    '/item/remove',
    '/link/token/create',
    '/link/token/get',
  ]);
});

test('keeps stored data when the aggregator’s response is an error or incomplete', async () => {
  const id = await connect('user_b');
  const readState = async () => [
    (await harness.app.call('GET', '/api/investments/holdings', 'user_b')).body,
    (await harness.app.call('GET', '/api/connections', 'user_b')).body.connections[0].accounts,
  ];
  const stored = await readState();
  const error = (code: string) => JSON.stringify({ error_type: 'API_ERROR', error_code: code, request_id: 'r' });
  for (const fault of [
    respondWith(500, error('INTERNAL_SERVER_ERROR')),
    respondWith(503, '<html>Away</html>'),
    respondWith(410, '{}'),
    respondWith(425, error('PRODUCT_NOT_READY')),
    respondWith(429, error('RATE_LIMIT_EXCEEDED'), { 'retry-after': '7' }),
    respondWith(200, '<html>A login page of some proxy</html>'),
    respondWith(200, '{"accounts": [{"account_id": "x'),
    respondWith(200, '{}'),
    (_call: AggregatorCall, response: ServerResponse) => {
      response.destroy();
    },
    (_call: AggregatorCall, response: ServerResponse) => {
      response.writeHead(200, { 'content-length': '900' }).write('{"accounts": [');
      setImmediate(() => response.destroy());
    },
  ]) {
    harness.fault = fault;
    await assert.rejects(sync(id), /^Error: Failed to read connection [0-9a-f-]{36}: [A-Z0-9_]+\.$/);
    assert.deepEqual(await readState(), stored);
  }
  harness.fault = undefined;
  const partial: [string, object][] = [
    ['/accounts/get', { accounts: [] }],
    ['/investments/holdings/get', { holdings: [] }],
    ['/investments/holdings/get', { holdings: [], securities: [] }],
  ];
  for (const [changedPath, change] of partial) {
    harness.rewrite = (path, response) => (path === changedPath ? { ...response, ...change } : undefined);
    await sync(id);
    assert.deepEqual(await readState(), stored, JSON.stringify(change));
  }
});

test('retries a revocation later unless the access is unknown', async () => {
  const id = await connect('user_removing');
  await harness.app.call('DELETE', `/api/connections/${id}`, 'user_removing');
  const listRevocations = () => harness.app.owner<{ id: string }>('select id from public.connection_revocations');
  const [revocation] = await listRevocations();
  harness.fault = respondWith(500, '{}');
  await assert.rejects(
    run(REVOKE_ACCESS, { removal_id: revocation!.id }),
    /Failed to revoke access [0-9a-f-]+: HTTP_500\.$/,
  );
  assert.equal((await listRevocations()).length, 1);
  harness.fault = respondWith(400, '{"error_code": "ITEM_NOT_FOUND", "request_id": "r"}');
  await run(REVOKE_ACCESS, { removal_id: revocation!.id });
  assert.deepEqual(await listRevocations(), []);
  await run(REVOKE_ACCESS, { removal_id: revocation!.id });
});

test('returns 503 to a new attempt and keeps an open one pending during an outage', async () => {
  const { attempt_id, url } = await startAttempt(harness.app, 'user_a');
  await completeBankPage(harness.embeddedAggregator, url, { bank: 'ins_sandbox_2' });
  harness.fault = respondWith(429, '{"error_code": "RATE_LIMIT_EXCEEDED"}', { 'retry-after': '7' });
  const rejected = await harness.app.call('POST', '/api/connections/start', 'user_a', { kind: 'bank' });
  assert.deepEqual([rejected.status, rejected.headers.get('retry-after')], [503, '7']);
  assert.deepEqual((await finish(harness.app, 'user_a', attempt_id)).body, { status: 'pending' });
  harness.fault = undefined;
  assert.equal((await finish(harness.app, 'user_a', attempt_id)).body.status, 'connected');
});

test('limits key look-ups to ten a minute and returns 503 when there is no response', async () => {
  const event = JSON.stringify({ webhook_type: 'ITEM', webhook_code: 'ERROR', item_id: 'nobody' }, null, 2);
  const validToken = await createSigner(harness.app.database.service).sign(event, Math.floor(Date.now() / 1_000));
  const deliver = (token: string) =>
    sendRequest(`${harness.app.url}/api/webhooks/bank`, 'POST', event, {
      'content-type': 'application/json',
      'plaid-verification': token,
    });
  assert.equal((await deliver(validToken)).status, 200);
  const createForgedToken = (): string => {
    const header = Buffer.from(JSON.stringify({ alg: 'ES256', kid: randomUUID() })).toString('base64url');
    return `${header}.${validToken.split('.')[1]}.${validToken.split('.')[2]}`;
  };
  harness.fault = respondWith(500, '{}');
  const unavailable = await deliver(createForgedToken());
  assert.deepEqual(
    [unavailable.status, unavailable.headers.get('retry-after')],
    [503, '30'],
    'a new key would be tried again',
  );
  harness.fault = undefined;
  harness.calls.length = 0;
  const responses = await Promise.all(Array.from({ length: 200 }, () => deliver(createForgedToken())));
  assert.ok(responses.every(({ status }) => status === 401 || status === 503));
  const keyLookups = harness.calls.filter((path) => path === KEY_LOOKUP_PATH).length;
  assert.ok(keyLookups <= 10, String(keyLookups));
  assert.equal((await deliver(validToken)).status, 200, 'the known key');
});

test('revokes a deleted member’s access', async () => {
  await connect('user_deleted');
  await harness.app.database.service.transaction((sql) => harness.app.connections.onUserDeleted!(sql, 'user_deleted'));
  const [revocation] = await harness.app.owner<{ id: string }>('select id from public.connection_revocations');
  await run(REVOKE_ACCESS, { removal_id: revocation!.id });
  assert.equal(harness.calls.at(-1), '/item/remove');
  await eventuallyEquals(() => harness.app.owner('select from public.connection_revocations'), []);
});
