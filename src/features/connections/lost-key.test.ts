import assert from 'node:assert/strict';
import { expect, test, type TestContext } from 'vitest';
import {
  completeBankPage,
  connect,
  connectBrokerage,
  type ConnectionsApp,
  finish,
  startAttempt,
  startConnectionsApp,
} from '../../../test/support/connections-app.ts';
import { eventually, eventuallyEquals } from '../../../test/support/eventually.ts';
import { canDecryptStoredSecrets } from './check-key.ts';

const MEMBER = 'user_lost_key';

const listStatuses = async (app: ConnectionsApp): Promise<string[]> =>
  (await app.call('GET', '/api/connections', MEMBER)).body.connections.map(({ status }: { status: string }) => status);

/** Connects a bank and a brokerage, and starts the service again with another key after the first one was lost. */
async function startWithLostKey(t: TestContext): Promise<ConnectionsApp> {
  const before = await startConnectionsApp({ key: 'aa'.repeat(32) });
  t.onTestFinished(() => before.close());
  await before.owner('insert into public.all_users (idp_id) values ($1)', [MEMBER]);
  await connect(before, MEMBER);
  await connectBrokerage(before, MEMBER);
  assert.deepEqual(await listStatuses(before), ['active', 'active']);
  const after = await startConnectionsApp({
    key: 'bb'.repeat(32),
    isPreviousLost: true,
    existingDatabase: before.name,
  });
  t.onTestFinished(() => after.close());
  return after;
}

test('asks for a new sign-in at the start when the key of connections is lost', async (t) => {
  const app = await startWithLostKey(t);
  app.connections.startBackground!(app.url);
  await eventuallyEquals(() => listStatuses(app), ['login_required', 'login_required']);
});

test('replaces a connection when the member connects again after its key was lost', async (t) => {
  const app = await startWithLostKey(t);
  app.connections.startBackground!(app.url);
  await eventuallyEquals(() => listStatuses(app), ['login_required', 'login_required']);
  const [bank] = (await app.call('GET', '/api/connections', MEMBER)).body.connections;

  const { attempt_id, url } = await startAttempt(app, MEMBER, { repair: bank.id });
  await completeBankPage(app, url);
  await eventually(async () => (await finish(app, MEMBER, attempt_id)).body.status === 'connected');
  await connectBrokerage(app, MEMBER);

  const { connections } = (await app.call('GET', '/api/connections', MEMBER)).body;
  expect(connections).toMatchObject([{ id: bank.id, status: 'active' }, { status: 'active' }]);
});

test('needs the acknowledgement of a lost key for one start when no member has connected again', async (t) => {
  const app = await startWithLostKey(t);
  const sql = app.database.service;
  const keys = { current: 'bb'.repeat(32), previous: undefined };
  assert.equal(await canDecryptStoredSecrets(sql, keys), false);
  await app.owner(
    `insert into public.connection_revocations (id, provider, sealed)
     select gen_random_uuid(), 'plaid', sealed from public.connection_secrets limit 1`,
  );

  app.connections.startBackground!(app.url);

  await eventuallyEquals(() => listStatuses(app), ['login_required', 'login_required']);
  await eventually(() => canDecryptStoredSecrets(sql, keys));
  assert.deepEqual(await app.connections.operator.rotateKeys(), { reencrypted: 0, undecryptable: 0 });
  // The two credentials, their attempts, the brokerage user and the revocation.
  assert.match(app.readLog(), /"deleted":6,"msg":"deleted the credentials whose key is lost/);
});

test('finds that a key is wrong when the database has only an open attempt', async (t) => {
  const app = await startConnectionsApp({ key: 'aa'.repeat(32) });
  t.onTestFinished(() => app.close());
  await app.owner('insert into public.all_users (idp_id) values ($1)', [MEMBER]);
  await startAttempt(app, MEMBER);
  const fits = (key: string) => canDecryptStoredSecrets(app.database.service, { current: key, previous: undefined });

  assert.deepEqual([await fits('aa'.repeat(32)), await fits('bb'.repeat(32))], [true, false]);
});

test('keeps what the present key encrypted when the previous one is lost', async (t) => {
  const key = 'aa'.repeat(32);
  const app = await startConnectionsApp({ key, isPreviousLost: true });
  t.onTestFinished(() => app.close());
  await app.owner('insert into public.all_users (idp_id) values ($1)', [MEMBER]);
  await connect(app, MEMBER);
  await connectBrokerage(app, MEMBER);

  app.connections.startBackground!(app.url);

  await eventually(async () => /"deleted":0,/.test(app.readLog()));
  assert.deepEqual(await listStatuses(app), ['active', 'active']);
});

test('refreshes and removes a connection when its key is lost', async (t) => {
  const app = await startWithLostKey(t);
  app.connections.startBackground!(app.url);
  await eventually(async () => /"deleted":5,/.test(app.readLog()));
  const [bank] = (await app.call('GET', '/api/connections', MEMBER)).body.connections;

  const refreshed = await app.call('POST', `/api/connections/${bank.id}/refresh`, MEMBER);
  assert.equal(refreshed.status, 200, JSON.stringify(refreshed.body));
  assert.deepEqual(await listStatuses(app), ['login_required', 'login_required']);
  assert.equal((await app.call('DELETE', `/api/connections/${bank.id}`, MEMBER)).status, 204);
});
