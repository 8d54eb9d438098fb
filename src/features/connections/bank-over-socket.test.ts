import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, test } from 'vitest';
import type { AggregatorCall } from '../../../test/support/aggregator-between.ts';
import {
  type AggregatorOverSocket,
  standInKeys,
  startAggregatorOverSocket,
} from '../../../test/support/aggregator-over-socket.ts';
import { finish, startAttempt, visitBank } from '../../../test/support/connections-app.ts';
import { eventually, eventuallyEquals } from '../../../test/support/eventually.ts';
import { send } from '../../../test/support/identity.ts';
import { END_ACCESS } from './queue-removal.ts';
import { createSigner } from '../../embedded/bank/sign-webhook.ts';
import { SYNC_CONNECTION } from './sync-connection.ts';

let over: AggregatorOverSocket;
beforeAll(async () => {
  over = await startAggregatorOverSocket('bank');
});
afterAll(() => over.close());
beforeEach(() => {
  over.fault = over.rewrite = undefined;
  over.calls.length = 0;
});

async function connect(member: string): Promise<string> {
  await over.app.owner(`insert into public.all_users (idp_id) values ($1) on conflict do nothing`, [member]);
  const { attempt_id, url } = await startAttempt(over.app, member);
  await visitBank(over.standIn, url);
  const { body } = await finish(over.app, member, attempt_id);
  assert.equal(body.status, 'connected');
  return body.connection.id as string;
}

const run = (task: string, payload: object) => over.app.connections.tasks![task]!(payload as never, {} as never);
const KEY_LOOK_UP = '/webhook_verification_key/get';
const sync = (id: string) => run(SYNC_CONNECTION, { connection_id: id });
const say =
  (status: number, body: string, headers = {}) =>
  (_call: AggregatorCall, response: ServerResponse) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);

test('the aggregator’s own library connects, reads, repairs and removes over a socket', async () => {
  const id = await connect('user_a');
  await eventually(
    () => over.calls.includes(KEY_LOOK_UP),
    () => 'the page’s webhook came',
  );
  await sync(id);
  await over.app.owner(`update bank_sandbox.items set state = 'login_required'`);
  const { attempt_id, url } = await startAttempt(over.app, 'user_a', { repair: id });
  await visitBank(over.standIn, url);
  const repaired = await finish(over.app, 'user_a', attempt_id);
  assert.deepEqual([repaired.body.status, repaired.body.connection.id], ['connected', id]);
  await over.app.call('DELETE', `/api/connections/${id}`, 'user_a');
  const [removal] = await over.app.owner<{ id: string }>('select id from public.aggregator_removals');
  await run(END_ACCESS, { removal_id: removal!.id });
  assert.deepEqual(await over.app.owner(`select state from bank_sandbox.items`), [{ state: 'removed' }]);
  assert.deepEqual([...new Set(over.calls)].filter((path) => path !== KEY_LOOK_UP).sort(), [
    ...['/accounts/get', '/investments/holdings/get', '/item/get', '/item/public_token/exchange', '/item/remove'],
    ...['/link/token/create', '/link/token/get'],
  ]);
});

test('no refusal, cut or partial answer of the aggregator takes away or changes what was read before', async () => {
  const id = await connect('user_b');
  const seen = async () => [
    (await over.app.call('GET', '/api/investments/holdings', 'user_b')).body,
    (await over.app.call('GET', '/api/connections', 'user_b')).body.connections[0].accounts,
  ];
  const stored = await seen();
  const error = (code: string) => JSON.stringify({ error_type: 'API_ERROR', error_code: code, request_id: 'r' });
  for (const fault of [
    say(500, error('INTERNAL_SERVER_ERROR')),
    say(503, '<html>Away</html>'),
    say(410, '{}'),
    say(425, error('PRODUCT_NOT_READY')),
    say(429, error('RATE_LIMIT_EXCEEDED'), { 'retry-after': '7' }),
    say(200, '<html>A login page of some proxy</html>'),
    say(200, '{"accounts": [{"account_id": "x'),
    say(200, '{}'),
    (_call: AggregatorCall, response: ServerResponse) => void response.destroy(),
    (_call: AggregatorCall, response: ServerResponse) => {
      response.writeHead(200, { 'content-length': '900' }).write('{"accounts": [');
      setImmediate(() => response.destroy());
    },
  ]) {
    over.fault = fault;
    await assert.rejects(sync(id), /^Error: The connection [0-9a-f-]{36} could not be read: [A-Z0-9_]+\.$/);
    assert.deepEqual(await seen(), stored);
  }
  over.fault = undefined;
  const partial: [string, object][] = [
    ['/accounts/get', { accounts: [] }],
    ['/investments/holdings/get', { holdings: [] }],
    ['/investments/holdings/get', { holdings: [], securities: [] }],
  ];
  for (const [at, change] of partial) {
    over.rewrite = (path, answer) => (path === at ? { ...answer, ...change } : undefined);
    await sync(id);
    assert.deepEqual(await seen(), stored, JSON.stringify(change));
  }
});

test('an access that the aggregator cannot end now is ended later, and one that it does not know is done', async () => {
  const id = await connect('user_removing');
  await over.app.call('DELETE', `/api/connections/${id}`, 'user_removing');
  const removals = () => over.app.owner<{ id: string }>('select id from public.aggregator_removals');
  const [removal] = await removals();
  over.fault = say(500, '{}');
  await assert.rejects(run(END_ACCESS, { removal_id: removal!.id }), /is not ended yet: HTTP_500\.$/);
  assert.equal((await removals()).length, 1);
  over.fault = say(400, '{"error_code": "ITEM_NOT_FOUND", "request_id": "r"}');
  await run(END_ACCESS, { removal_id: removal!.id });
  assert.deepEqual(await removals(), []);
  await run(END_ACCESS, { removal_id: removal!.id });
});

test('an aggregator that is away stops a new attempt with 503 and a time, and leaves an open one pending', async () => {
  const { attempt_id, url } = await startAttempt(over.app, 'user_a');
  await visitBank(over.standIn, url, { bank: 'ins_sandbox_2' });
  over.fault = say(429, '{"error_code": "RATE_LIMIT_EXCEEDED"}', { 'retry-after': '7' });
  const refused = await over.app.call('POST', '/api/connections/start', 'user_a', { kind: 'bank' });
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '7']);
  assert.deepEqual((await finish(over.app, 'user_a', attempt_id)).body, { status: 'pending' });
  over.fault = undefined;
  assert.equal((await finish(over.app, 'user_a', attempt_id)).body.status, 'connected');
});

test('forged key ids cost ten look-ups a minute at most, a known key works on, and no answer is 503', async () => {
  const event = JSON.stringify({ webhook_type: 'ITEM', webhook_code: 'ERROR', item_id: 'nobody' }, null, 2);
  const good = await createSigner(over.app.database.service).sign(event, Math.floor(Date.now() / 1_000));
  const deliver = (token: string) =>
    send(`${over.app.url}/api/webhooks/bank`, 'POST', event, {
      'content-type': 'application/json',
      'plaid-verification': token,
    });
  assert.equal((await deliver(good)).status, 200);
  const forged = (): string => {
    const head = Buffer.from(JSON.stringify({ alg: 'ES256', kid: randomUUID() })).toString('base64url');
    return `${head}.${good.split('.')[1]}.${good.split('.')[2]}`;
  };
  over.fault = say(500, '{}');
  const away = await deliver(forged());
  assert.deepEqual([away.status, away.headers.get('retry-after')], [503, '30'], 'a new key would be tried again');
  over.fault = undefined;
  over.calls.length = 0;
  const answers = await Promise.all(Array.from({ length: 200 }, () => deliver(forged())));
  assert.ok(answers.every(({ status }) => status === 401 || status === 503));
  const lookUps = over.calls.filter((path) => path === KEY_LOOK_UP).length;
  assert.ok(lookUps <= 10, String(lookUps));
  assert.equal((await deliver(good)).status, 200, 'the known key');
});

test('demo people and unknown attempts make no call, and a deleted member’s access is ended', async () => {
  for (const [member, headers] of [
    ['user_demo', {}],
    ['user_sample', {}],
    ['user_a', { 'x-demo-tour': '1' }],
  ] as const)
    for (const [method, path, body] of [
      ['POST', '/api/connections/start', { kind: 'bank' }],
      ['POST', '/api/connections/finish', { attempt_id: randomUUID() }],
      ['DELETE', `/api/connections/${randomUUID()}`, undefined],
    ] as const)
      assert.equal((await over.app.call(method, path, member, body, headers)).status, 403);
  assert.equal((await finish(over.app, 'user_a', randomUUID())).status, 404);
  assert.deepEqual(over.calls, []);

  await connect('user_deleted');
  await over.app.database.service.transaction((sql) => over.app.connections.onUserDeleted!(sql, 'user_deleted'));
  const [removal] = await over.app.owner<{ id: string }>('select id from public.aggregator_removals');
  await run(END_ACCESS, { removal_id: removal!.id });
  assert.equal(over.calls.at(-1), '/item/remove');
  await eventuallyEquals(() => over.app.owner('select from public.aggregator_removals'), []);
});

test('whatever the aggregator answered, neither its key nor a token stands in the log', async () => {
  const log = over.app.log() + over.standIn.log();
  assert.match(log, /RATE_LIMIT_EXCEEDED/);
  assert.doesNotMatch(log, /(access|public|link)-sandbox-/);
  assert.ok(!log.includes(standInKeys('bank').secret));
});
