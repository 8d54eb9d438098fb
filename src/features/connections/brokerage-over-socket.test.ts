import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, test } from 'vitest';
import type { AggregatorCall } from '../../../test/support/fault-proxy.ts';
import {
  type AggregatorOverSocket,
  embeddedKeys,
  startAggregatorOverSocket,
} from '../../../test/support/aggregator-over-socket.ts';
import { finish, parseReturn, startAttempt, completeBrokeragePortal } from '../../../test/support/connections-app.ts';
import { REVOKE_ACCESS } from './enqueue-revocation.ts';
import { signRequest } from '../../embedded/brokerage/sign-request.ts';
import { SYNC_CONNECTION } from './sync-connection.ts';

let harness: AggregatorOverSocket;
beforeAll(async () => {
  harness = await startAggregatorOverSocket('brokerage');
});
afterAll(() => harness.close());
beforeEach(async () => {
  harness.fault = undefined;
  harness.rewrite = undefined;
  harness.calls.length = 0;
  await harness.app.owner('delete from public.connection_revocations');
});

const run = (task: string, payload: object) => harness.app.connections.tasks![task]!(payload as never, {} as never);
const sync = (id: string) => run(SYNC_CONNECTION, { connection_id: id });
const listRevocations = () => harness.app.owner<{ id: string }>('select id from public.connection_revocations');
const listUserIds = async () =>
  (await harness.app.owner<{ id: string }>('select id from brokerage_sandbox.users order by created_at')).map(
    ({ id }) => id,
  );
const getUserId = async (member: string) =>
  (
    await harness.app.owner<{ external_id: string }>(
      `select external_id from public.brokerage_users where idp_id = $1`,
      [member],
    )
  )[0]?.external_id;
const requestStart = (member: string) =>
  harness.app.call('POST', '/api/connections/start', member, { kind: 'brokerage' });
const addMember = (member: string) => harness.app.owner('insert into public.all_users (idp_id) values ($1)', [member]);
const respondWith =
  (status: number, body: string, headers = {}) =>
  (_call: AggregatorCall, response: ServerResponse) => {
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  };

async function connect(member: string, repair?: string): Promise<string> {
  const { attempt_id, url } = await startAttempt(harness.app, member, { kind: 'brokerage', ...(repair && { repair }) });
  const returned = parseReturn(await completeBrokeragePortal(harness.embeddedAggregator, url));
  const { body } = await finish(harness.app, member, attempt_id, returned);
  assert.equal(body.status, 'connected');
  return body.connection.id as string;
}

test('runs the life of a connection with the aggregator’s library over a socket', async () => {
  const id = await connect('user_a');
  await sync(id);
  await harness.app.owner(`update brokerage_sandbox.authorizations set state = 'disabled'`);
  await sync(id);
  assert.equal(await connect('user_a', id), id);
  await harness.app.call('DELETE', `/api/connections/${id}`, 'user_a');
  const [revocation] = await listRevocations();
  await run(REVOKE_ACCESS, { removal_id: revocation!.id });
  assert.deepEqual(await harness.app.owner(`select state from brokerage_sandbox.authorizations`), [
    { state: 'removed' },
  ]);
  const calledPaths = new Set(harness.calls.map((path) => path.replaceAll(/[0-9a-f-]{36}/g, ':id')));
  assert.deepEqual([...calledPaths].sort(), [
    '/accounts/:id/balances',
    '/accounts/:id/positions/all',
    '/authorizations',
    '/authorizations/:id',
    '/authorizations/:id/accounts',
    '/connection/:id',
    '/snapTrade/login',
    '/snapTrade/registerUser',
  ]);
});

test('deletes a user after a registration without a response and uses a new id next', async () => {
  await addMember('user_unknown');
  const before = await listUserIds();
  // The registration succeeds, but the response with the secret is lost. The aggregator returns a secret once.
  harness.fault = ({ forward }, response) => {
    void forward().then(() => response.destroy());
  };
  assert.equal((await requestStart('user_unknown')).status, 503);
  const [lostUser, ...others] = (await listUserIds()).filter((id) => !before.includes(id));
  assert.deepEqual(others, []);
  assert.equal(await getUserId('user_unknown'), undefined);
  harness.fault = undefined;
  assert.equal((await requestStart('user_unknown')).status, 201);
  const userId = await getUserId('user_unknown');
  assert.notEqual(userId, lostUser);
  for (const { id } of await listRevocations()) await run(REVOKE_ACCESS, { removal_id: id });
  assert.deepEqual(
    (await listUserIds()).filter((id) => !before.includes(id)),
    [userId],
    'one user of theirs is left',
  );
});

test('registers one user for concurrent attempts and replaces a crashed registration', async () => {
  await addMember('user_twice');
  const before = await listUserIds();
  const responses = await Promise.all([
    requestStart('user_twice'),
    requestStart('user_twice'),
    requestStart('user_twice'),
  ]);
  assert.ok(responses.some(({ status }) => status === 201));
  assert.ok(responses.every(({ status }) => status === 201 || status === 503));
  assert.deepEqual(
    (await listUserIds()).filter((id) => !before.includes(id)),
    [await getUserId('user_twice')],
  );
  await addMember('user_died');
  await harness.app.owner(
    `insert into public.brokerage_users (idp_id, external_id, registration_started_at)
     values ('user_died', gen_random_uuid(), now() - interval '2 minutes')`,
  );
  const deadUser = await getUserId('user_died');
  assert.equal((await requestStart('user_died')).status, 201);
  assert.notEqual(await getUserId('user_died'), deadUser);
  assert.equal((await listRevocations()).length, 1, 'a user that the dead one may have registered is ended');
});

test('registers a user again when the aggregator no longer knows them', async () => {
  await addMember('user_ended');
  assert.equal((await requestStart('user_ended')).status, 201);
  const before = await getUserId('user_ended');
  await harness.app.owner('delete from brokerage_sandbox.users where id = $1', [before]);
  assert.equal((await requestStart('user_ended')).status, 201);
  assert.notEqual(await getUserId('user_ended'), before);
});

test('keeps an open attempt pending with no secret in its errors', async () => {
  await addMember('user_faults');
  const { attempt_id, url } = await startAttempt(harness.app, 'user_faults', { kind: 'brokerage' });
  const returned = parseReturn(await completeBrokeragePortal(harness.embeddedAggregator, url));
  for (const fault of [
    respondWith(429, '{"detail": "Slow down", "status_code": 429, "code": "0000"}', { 'retry-after': '7' }),
    respondWith(500, '{"default_detail": "Fault", "default_code": "3000"}'),
    respondWith(503, '<html>Away</html>'),
    respondWith(302, '', { location: 'http://127.0.0.1:9/elsewhere' }),
    respondWith(200, '<html>A login page of some proxy</html>'),
    respondWith(200, '[{"id": "x'),
    respondWith(200, '{}'),
    (_call: AggregatorCall, response: ServerResponse) => {
      response.destroy();
    },
  ]) {
    harness.fault = fault;
    harness.calls.length = 0;
    assert.equal((await requestStart('user_faults')).status, 503);
    assert.deepEqual((await finish(harness.app, 'user_faults', attempt_id, returned)).body, { status: 'pending' });
    assert.equal(harness.calls.length, 2, 'each call is made once');
  }
  harness.fault = respondWith(429, '{"code": "0000"}', { 'retry-after': '7' });
  assert.equal((await requestStart('user_faults')).headers.get('retry-after'), '7');
  harness.fault = undefined;
  assert.equal((await finish(harness.app, 'user_faults', attempt_id, returned)).body.status, 'connected');
});

test('accepts in the embedded brokerage only requests signed over body, path, query', async () => {
  const seconds = Math.floor(Date.now() / 1_000);
  const sendSigned = async (
    sentBody: { userId: string },
    query: string,
    signed = { content: sentBody, query },
    key?: string,
  ) => {
    const signedParts = { ...signed, path: '/snapTrade/registerUser' };
    const response = await fetch(`${harness.embeddedAggregator.url}/_brokerage/snapTrade/registerUser?${query}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        signature: signRequest(signedParts, key ?? embeddedKeys('brokerage').secret),
      },
      body: JSON.stringify(sentBody),
    });
    return [response.status, ((await response.json()) as { code?: string }).code];
  };
  const content = { userId: 'somebody' };
  const query = `clientId=SANDBOX&timestamp=${seconds}`;
  assert.deepEqual(await sendSigned(content, query), [200, undefined]);
  const rejected = [401, '1076'];
  assert.deepEqual(await sendSigned({ userId: 'another' }, query, { content, query }), rejected, 'another body');
  assert.deepEqual(await sendSigned(content, `${query}&a=1`, { content, query }), rejected, 'another query');
  assert.deepEqual(await sendSigned(content, query, { content, query }, 'another key'), rejected);
  assert.deepEqual(await sendSigned(content, `clientId=OTHER&timestamp=${seconds}`), rejected, 'another client');
  assert.deepEqual(await sendSigned(content, `clientId=SANDBOX&timestamp=${seconds - 400}`), rejected, 'long ago');
});

test('deletes a deleted member’s user at the aggregator with all connections', async () => {
  await addMember('user_deleted');
  await connect('user_deleted');
  const userId = (await getUserId('user_deleted'))!;
  await harness.app.database.service.transaction((sql) => harness.app.connections.onUserDeleted!(sql, 'user_deleted'));
  assert.equal(await getUserId('user_deleted'), undefined);
  const [revocation, ...otherRevocations] = await listRevocations();
  assert.deepEqual(otherRevocations, [], 'one call ends all of it');
  harness.calls.length = 0;
  await run(REVOKE_ACCESS, { removal_id: revocation!.id });
  assert.deepEqual(harness.calls, ['/snapTrade/deleteUser']);
  assert.ok(!(await listUserIds()).includes(userId));
});

test('writes neither key nor secret to the log, jobs or tables', async () => {
  await connect('user_b');
  const log = harness.app.readLog() + harness.embeddedAggregator.readLog();
  assert.match(log, /HTTP_503/);
  const jobs = await harness.app.owner<{ text: string }>(
    'select payload::text as text from graphile_worker._private_jobs',
  );
  const tables = await harness.app.owner<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname in ('public', 'brokerage_sandbox')`,
  );
  const texts = [log, ...jobs.map(({ text }) => text)];
  for (const { name } of tables)
    texts.push(...(await harness.app.owner<{ t: string }>(`select t::text as t from ${name} t`)).map(({ t }) => t));
  assert.ok(texts.length > 20);
  for (const text of texts) {
    assert.doesNotMatch(text, /(user-secret|portal)-sandbox-/);
    assert.ok(!text.includes(embeddedKeys('brokerage').secret));
  }
});
