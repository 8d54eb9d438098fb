import assert from 'node:assert/strict';
import { afterAll, beforeAll, beforeEach, test, vi } from 'vitest';
import {
  connectBrokerage,
  type ConnectionsApp,
  finish,
  parseReturn,
  startAttempt,
  startConnectionsApp,
  completeBrokeragePortal,
} from '../../../test/support/connections-app.ts';
import { REVOKE_ACCESS } from './enqueue-revocation.ts';
import { SYNC_CONNECTION } from './sync-connection.ts';

let app: ConnectionsApp;
beforeAll(async () => {
  app = await startConnectionsApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.owner('delete from public.connections');
  await app.owner('delete from brokerage_sandbox.authorizations');
});

const sync = (id: string) => app.connections.tasks![SYNC_CONNECTION]!({ connection_id: id } as never, {} as never);
const getConnection = async (member: string) => (await app.call('GET', '/api/connections', member)).body.connections[0];
const readState = async () => ({
  held: (await app.call('GET', '/api/investments/holdings', 'user_a')).body,
  cash: (await getConnection('user_a')).accounts,
});
const injectFault = (call: string, status: number, code: string, more: object = {}) =>
  app.owner(`update brokerage_sandbox.authorizations set data = data || jsonb_build_object('fault', $1::jsonb)`, [
    JSON.stringify({ on: call, status, code, ...more }),
  ]);
const start = (more: object = {}) => startAttempt(app, 'user_a', { kind: 'brokerage', ...more });

test('keeps stored data for each error status of each call', { tags: ['slow'] }, async () => {
  const { id } = await connectBrokerage(app, 'user_a');
  const before = await readState();
  assert.ok(before.held.holdings.length >= 3);
  for (const call of ['authorization', 'accounts', 'balances', 'positions'])
    for (const [status, code] of [
      [402, '3003'] as const,
      [410, '1111'] as const,
      [425, '3012'] as const,
      [429, '0000'] as const,
      [500, '3000'] as const,
      [503, '3002'] as const,
    ]) {
      await injectFault(call, status, code, { retryAfter: 30 });
      const outcome = await Promise.resolve(sync(id)).then(
        () => 'stored',
        (error: Error) => error.message,
      );
      assert.deepEqual(await readState(), before, `${status} for ${call}: ${outcome}`);
      const isRetried = status === 425 || status === 429 || status >= 500;
      if (isRetried) assert.notEqual(outcome, 'stored', `${status} for ${call} is asked again`);
      if (status === 402) assert.equal((await getConnection('user_a')).status, 'login_required');
    }
});

test('returns a 429 without the library’s sleep of 35 s and without output', async () => {
  // The library prints before each of its three sleeps.
  const print = vi.spyOn(console, 'log').mockImplementation(() => {});
  const { id } = await connectBrokerage(app, 'user_a');
  await injectFault('positions', 429, '0000');
  await assert.rejects(async () => sync(id), /Failed to read connection .*: 0000/);
  assert.equal(print.mock.calls.length, 0);
});

test('keeps stored holdings when a non-empty account returns no positions', async () => {
  const { id } = await connectBrokerage(app, 'user_a');
  const before = await readState();
  await app.owner(`update brokerage_sandbox.authorizations set data = jsonb_set(data, '{accounts}', '[]')`);
  await sync(id);
  assert.deepEqual(await readState(), before);
  await app.owner(`delete from brokerage_sandbox.authorizations`);
  await sync(id);
  assert.deepEqual(await readState(), before);
  assert.equal((await getConnection('user_a')).status, 'revoked');
});

test('retries data that the brokerage is still fetching and shows the accounts', async () => {
  const { id, accounts } = await connectBrokerage(app, 'user_a', { user: 'user_slow' });
  assert.equal(accounts.length, 2);
  assert.equal((await getConnection('user_a')).synced_at, null, 'nothing was read completely');
  await assert.rejects(async () => sync(id), /is still incomplete/);
  app.advanceClock(21);
  await sync(id);
  assert.ok((await getConnection('user_a')).synced_at);
  assert.equal((await readState()).held.holdings.length, 3);
});

test('keeps accounts with their ids when a disabled connection is repaired', async () => {
  const { id, accounts } = await connectBrokerage(app, 'user_a');
  await app.owner(`update brokerage_sandbox.authorizations set state = 'disabled'`);
  await sync(id);
  assert.equal((await getConnection('user_a')).status, 'login_required');
  const abandonedAttempt = await start({ repair: id });
  const abandoned = await finish(app, 'user_a', abandonedAttempt.attempt_id, { status: 'ABANDONED' });
  assert.equal(abandoned.body.status, 'abandoned');
  const { attempt_id, url } = await start({ repair: id });
  assert.equal((await finish(app, 'user_a', attempt_id)).body.status, 'pending');
  const falseSuccess = { status: 'SUCCESS' };
  assert.equal(
    (await finish(app, 'user_a', attempt_id, falseSuccess)).body.status,
    'pending',
    'the aggregator decides',
  );
  const returned = parseReturn(await completeBrokeragePortal(app, url));
  const { body } = await finish(app, 'user_a', attempt_id, returned);
  assert.deepEqual([body.status, body.connection.id, body.connection.status], ['connected', id, 'active']);
  assert.deepEqual(body.connection.accounts, accounts);
});

test('reuses the connection of a repeated sign-in and revokes a duplicate', async () => {
  const { id } = await connectBrokerage(app, 'user_a');
  const connectAgain = async (visit: object) => {
    const { attempt_id, url } = await start();
    const returned = parseReturn(await completeBrokeragePortal(app, url, visit));
    return (await finish(app, 'user_a', attempt_id, returned)).body;
  };
  const countRevocations = async () => (await app.owner('select 1 from public.connection_revocations')).length;
  const before = await countRevocations();
  const same = await connectAgain({});
  assert.deepEqual([same.status, same.connection.id, same.code], ['duplicate', id, undefined]);
  assert.equal(await countRevocations(), before);
  await app.owner(`update public.connections set status = 'login_required'`);
  const other = await connectAgain({ user: 'user_twice' });
  assert.deepEqual([other.status, other.connection.id, other.code], ['duplicate', id, 'REPAIR_NEEDED']);
  assert.equal(await countRevocations(), before + 1, 'the access that no connection uses');
  assert.notEqual((await connectBrokerage(app, 'user_a', { brokerage: 'SANDBOX2' })).id, id);
});

test('keeps a connection that a sign-in restored after its removal', async () => {
  const { id } = await connectBrokerage(app, 'user_a');
  assert.equal((await app.call('DELETE', `/api/connections/${id}`, 'user_a')).status, 204);
  const revocation = (
    await app.owner<{ id: string }>('select id from public.connection_revocations order by created_at desc limit 1')
  )[0]!.id;
  const reconnected = await connectBrokerage(app, 'user_a');
  await app.connections.tasks![REVOKE_ACCESS]!({ removal_id: revocation } as never, {} as never);
  assert.deepEqual(await app.owner('select 1 from public.connection_revocations where id = $1', [revocation]), []);
  await sync(reconnected.id);
  assert.equal((await getConnection('user_a')).status, 'active');
});
