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
  after.connections.startBackground!(after.url);
  return after;
}

test('asks for a new sign-in at the start when the key of connections is lost', async (t) => {
  const app = await startWithLostKey(t);
  await eventuallyEquals(() => listStatuses(app), ['login_required', 'login_required']);
});

test('replaces a connection when the member connects again after its key was lost', async (t) => {
  const app = await startWithLostKey(t);
  await eventuallyEquals(() => listStatuses(app), ['login_required', 'login_required']);
  const [bank] = (await app.call('GET', '/api/connections', MEMBER)).body.connections;

  const { attempt_id, url } = await startAttempt(app, MEMBER, { repair: bank.id });
  await completeBankPage(app, url);
  await eventually(async () => (await finish(app, MEMBER, attempt_id)).body.status === 'connected');
  await connectBrokerage(app, MEMBER);

  const { connections } = (await app.call('GET', '/api/connections', MEMBER)).body;
  expect(connections).toMatchObject([{ id: bank.id, status: 'active' }, { status: 'active' }]);
});
