import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, test } from 'vitest';
import type { AggregatorCall } from '../../../test/support/aggregator-between.ts';
import {
  type AggregatorOverSocket,
  standInKeys,
  startAggregatorOverSocket,
} from '../../../test/support/aggregator-over-socket.ts';
import { finish, returnedBy, startAttempt, visitPortal } from '../../../test/support/connections-app.ts';
import { END_ACCESS } from './queue-removal.ts';
import { signRequest } from '../../embedded/brokerage/sign-request.ts';
import { SYNC_CONNECTION } from './sync-connection.ts';

let over: AggregatorOverSocket;
beforeAll(async () => {
  over = await startAggregatorOverSocket('brokerage');
});
afterAll(() => over.close());
beforeEach(async () => {
  over.fault = over.rewrite = undefined;
  over.calls.length = 0;
  await over.app.owner('delete from public.aggregator_removals');
});

const run = (task: string, payload: object) => over.app.connections.tasks![task]!(payload as never, {} as never);
const sync = (id: string) => run(SYNC_CONNECTION, { connection_id: id });
const removals = () => over.app.owner<{ id: string }>('select id from public.aggregator_removals');
const people = async () =>
  (await over.app.owner<{ id: string }>('select id from brokerage_sandbox.people order by created_at')).map(
    ({ id }) => id,
  );
const userOf = async (member: string) =>
  (
    await over.app.owner<{ external_id: string }>(`select external_id from public.brokerage_users where idp_id = $1`, [
      member,
    ])
  )[0]?.external_id;
const ask = (member: string) => over.app.call('POST', '/api/connections/start', member, { kind: 'brokerage' });
const newMember = (member: string) => over.app.owner('insert into public.all_users (idp_id) values ($1)', [member]);
const say =
  (status: number, body: string, headers = {}) =>
  (_call: AggregatorCall, response: ServerResponse) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);

async function connect(member: string, repair?: string): Promise<string> {
  const { attempt_id, url } = await startAttempt(over.app, member, { kind: 'brokerage', ...(repair && { repair }) });
  const returned = returnedBy(await visitPortal(over.standIn, url));
  const { body } = await finish(over.app, member, attempt_id, returned);
  assert.equal(body.status, 'connected');
  return body.connection.id as string;
}

test('the aggregator’s own library registers, connects, reads, repairs and removes over a socket', async () => {
  const id = await connect('user_a');
  await sync(id);
  await over.app.owner(`update brokerage_sandbox.authorizations set state = 'disabled'`);
  await sync(id);
  assert.equal(await connect('user_a', id), id);
  await over.app.call('DELETE', `/api/connections/${id}`, 'user_a');
  const [removal] = await removals();
  await run(END_ACCESS, { removal_id: removal!.id });
  assert.deepEqual(await over.app.owner(`select state from brokerage_sandbox.authorizations`), [{ state: 'removed' }]);
  const kinds = new Set(over.calls.map((path) => path.replaceAll(/[0-9a-f-]{36}/g, ':id')));
  assert.deepEqual([...kinds].sort(), [
    ...['/accounts/:id/balances', '/accounts/:id/positions/all', '/authorizations', '/authorizations/:id'],
    ...['/authorizations/:id/accounts', '/connection/:id', '/snapTrade/login', '/snapTrade/registerUser'],
  ]);
});

test('a registration of unknown outcome ends that user, and the next attempt takes a new name', async () => {
  await newMember('user_unknown');
  const before = await people();
  // The aggregator has registered them, and nobody heard the secret, which it tells once.
  over.fault = ({ forward }, response) => void forward().then(() => response.destroy());
  assert.equal((await ask('user_unknown')).status, 503);
  const [lost, ...others] = (await people()).filter((id) => !before.includes(id));
  assert.deepEqual(others, []);
  assert.equal(await userOf('user_unknown'), undefined);
  over.fault = undefined;
  assert.equal((await ask('user_unknown')).status, 201);
  const name = await userOf('user_unknown');
  assert.notEqual(name, lost);
  for (const { id } of await removals()) await run(END_ACCESS, { removal_id: id });
  assert.deepEqual(
    (await people()).filter((id) => !before.includes(id)),
    [name],
    'one user of theirs is left',
  );
});

test('two first attempts at once register one user, and a registration that died is taken over', async () => {
  await newMember('user_twice');
  const before = await people();
  const answers = await Promise.all([ask('user_twice'), ask('user_twice'), ask('user_twice')]);
  assert.ok(answers.some(({ status }) => status === 201));
  assert.ok(answers.every(({ status }) => status === 201 || status === 503));
  assert.deepEqual(
    (await people()).filter((id) => !before.includes(id)),
    [await userOf('user_twice')],
  );
  await newMember('user_died');
  await over.app.owner(
    `insert into public.brokerage_users (idp_id, external_id, asked_at)
     values ('user_died', gen_random_uuid(), now() - interval '2 minutes')`,
  );
  const dead = await userOf('user_died');
  assert.equal((await ask('user_died')).status, 201);
  assert.notEqual(await userOf('user_died'), dead);
  assert.equal((await removals()).length, 1, 'a user that the dead one may have registered is ended');
});

test('a user whom the aggregator does not know any more is registered anew', async () => {
  await newMember('user_ended');
  assert.equal((await ask('user_ended')).status, 201);
  const before = await userOf('user_ended');
  await over.app.owner('delete from brokerage_sandbox.people where id = $1', [before]);
  assert.equal((await ask('user_ended')).status, 201);
  assert.notEqual(await userOf('user_ended'), before);
});

test('no fault on the way is an error with a secret: it stops an attempt, and leaves an open one pending', async () => {
  await newMember('user_faults');
  const { attempt_id, url } = await startAttempt(over.app, 'user_faults', { kind: 'brokerage' });
  const returned = returnedBy(await visitPortal(over.standIn, url));
  for (const fault of [
    say(429, '{"detail": "Slow down", "status_code": 429, "code": "0000"}', { 'retry-after': '7' }),
    say(500, '{"default_detail": "Fault", "default_code": "3000"}'),
    say(503, '<html>Away</html>'),
    say(302, '', { location: 'http://127.0.0.1:9/elsewhere' }),
    say(200, '<html>A login page of some proxy</html>'),
    say(200, '[{"id": "x'),
    say(200, '{}'),
    (_call: AggregatorCall, response: ServerResponse) => void response.destroy(),
  ]) {
    over.fault = fault;
    over.calls.length = 0;
    assert.equal((await ask('user_faults')).status, 503);
    assert.deepEqual((await finish(over.app, 'user_faults', attempt_id, returned)).body, { status: 'pending' });
    assert.equal(over.calls.length, 2, 'each call is made once');
  }
  over.fault = say(429, '{"code": "0000"}', { 'retry-after': '7' });
  assert.equal((await ask('user_faults')).headers.get('retry-after'), '7');
  over.fault = undefined;
  assert.equal((await finish(over.app, 'user_faults', attempt_id, returned)).body.status, 'connected');
});

test('the stand-in takes a request that is signed over its body, path and query, and no other', async () => {
  const seconds = Math.floor(Date.now() / 1_000);
  const send = async (sent: { userId: string }, query: string, signed = { content: sent, query }, key?: string) => {
    const parts = { ...signed, path: '/snapTrade/registerUser' };
    const answer = await fetch(`${over.standIn.url}/_brokerage/snapTrade/registerUser?${query}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        signature: signRequest(parts, key ?? standInKeys('brokerage').secret),
      },
      body: JSON.stringify(sent),
    });
    return [answer.status, ((await answer.json()) as { code?: string }).code];
  };
  const [content, query] = [{ userId: 'somebody' }, `clientId=SANDBOX&timestamp=${seconds}`];
  assert.deepEqual(await send(content, query), [200, undefined]);
  const refused = [401, '1076'];
  assert.deepEqual(await send({ userId: 'another' }, query, { content, query }), refused, 'another body');
  assert.deepEqual(await send(content, `${query}&a=1`, { content, query }), refused, 'another query');
  assert.deepEqual(await send(content, query, { content, query }, 'another key'), refused);
  assert.deepEqual(await send(content, `clientId=OTHER&timestamp=${seconds}`), refused, 'another client');
  assert.deepEqual(await send(content, `clientId=SANDBOX&timestamp=${seconds - 400}`), refused, 'long ago');
});

test('a deleted member’s user is ended at the aggregator with all that they connected', async () => {
  await newMember('user_deleted');
  await connect('user_deleted');
  const name = (await userOf('user_deleted'))!;
  await over.app.database.service.transaction((sql) => over.app.connections.onUserDeleted!(sql, 'user_deleted'));
  assert.equal(await userOf('user_deleted'), undefined);
  const [removal, ...more] = await removals();
  assert.deepEqual(more, [], 'one call ends all of it');
  over.calls.length = 0;
  await run(END_ACCESS, { removal_id: removal!.id });
  assert.deepEqual(over.calls, ['/snapTrade/deleteUser']);
  assert.ok(!(await people()).includes(name));
});

test('whatever the aggregator answered, no key or secret stands in the log, the jobs or the tables', async () => {
  await connect('user_b');
  const log = over.app.log() + over.standIn.log();
  assert.match(log, /HTTP_503/);
  const jobs = await over.app.owner<{ text: string }>(
    'select payload::text as text from graphile_worker._private_jobs',
  );
  const tables = await over.app.owner<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname in ('public', 'brokerage_sandbox')`,
  );
  const texts = [log, ...jobs.map(({ text }) => text)];
  for (const { name } of tables)
    texts.push(...(await over.app.owner<{ t: string }>(`select t::text as t from ${name} t`)).map(({ t }) => t));
  assert.ok(texts.length > 20);
  for (const text of texts) {
    assert.doesNotMatch(text, /(user-secret|portal)-sandbox-/);
    assert.ok(!text.includes(standInKeys('brokerage').secret));
  }
});
