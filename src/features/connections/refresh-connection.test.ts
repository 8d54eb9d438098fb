import assert from 'node:assert/strict';
import { afterAll, beforeAll, beforeEach, test } from 'vitest';
import {
  connect,
  connectBrokerage,
  type ConnectionsApp,
  startConnectionsApp,
} from '../../../test/support/connections-app.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { lockMember } from '../../platform/identity/queries.ts';
import { REFRESH_INTERVAL_SECONDS } from './refresh-connection.ts';

let app: ConnectionsApp;
beforeAll(async () => {
  app = await startConnectionsApp({ finishTimeoutMs: 5_000 });
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.owner('delete from public.connections');
  await app.owner('delete from brokerage_sandbox.authorizations');
});

const refresh = (id: string, member = 'user_a', headers: Record<string, string> = {}) =>
  app.call('POST', `/api/connections/${id}/refresh`, member, undefined, headers);
const getConnection = async (member = 'user_a') =>
  (await app.call('GET', '/api/connections', member)).body.connections[0];
/** Moves the last sync and refresh of every connection into the past. */
const age = async () => {
  const [time] = await app.owner<{ past: Date }>(`select now() - interval '3 hours' as past`);
  await app.owner('update public.connections set synced_at = $1', [time!.past]);
  await app.owner('update public.connections set refresh_requested_at = $1 where refresh_requested_at is not null', [
    time!.past,
  ]);
};
const countRefreshes = async (): Promise<number> =>
  (await app.owner('select 1 from public.connections where refresh_requested_at is not null')).length;

test('reads accounts again and returns them with their new time', async () => {
  const { id, accounts } = await connect(app, 'user_a');
  await app.owner(`update public.accounts set balance = 1`);
  await age();
  const before = await getConnection();
  const { status, headers, body } = await refresh(id);
  assert.deepEqual([status, headers.get('cache-control'), body.status], [200, 'no-store', 'updated']);
  assert.ok(Date.parse(body.connection.synced_at) > Date.parse(before.synced_at));
  const balances = (list: { balance: number }[]) => list.map(({ balance }) => balance);
  assert.deepEqual(balances(body.connection.accounts), balances(accounts));
  assert.deepEqual(await getConnection(), body.connection);
});

test('allows one refresh a minute for each connection, also for two callers at once', async () => {
  const { id } = await connect(app, 'user_a');
  const { id: otherId } = await connectBrokerage(app, 'user_a');
  const responses = await Promise.all([refresh(id), refresh(id), refresh(id)]);
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 429, 429]);
  const limited = responses.find(({ status }) => status === 429)!;
  assert.equal(limited.body.code, 'RATE_LIMITED');
  const wait = Number(limited.headers.get('retry-after'));
  assert.ok(wait >= 1 && wait <= REFRESH_INTERVAL_SECONDS, String(wait));
  assert.equal((await refresh(otherId)).status, 200);
  await age();
  assert.equal((await refresh(id)).status, 200);
});

test('keeps the figures when the aggregator is down or rejects the request', async () => {
  const { id } = await connectBrokerage(app, 'user_a');
  const before = await getConnection();
  for (const status of [429, 500]) {
    await app.owner(
      `update brokerage_sandbox.authorizations set data = data || jsonb_build_object('fault', $1::jsonb)`,
      [JSON.stringify({ on: 'accounts', status, code: '0000' })],
    );
    const { status: answer, body } = await refresh(id);
    assert.deepEqual(
      [answer, body.code, body.message],
      [503, 'UNAVAILABLE', `${before.institution} cannot be read right now. Its last figures are kept.`],
    );
    assert.deepEqual(await getConnection(), before);
    await app.owner('update public.connections set refresh_requested_at = null');
  }
});

test('reports an incomplete reading and keeps the time of the last complete one', async () => {
  const { id } = await connectBrokerage(app, 'user_a');
  const { synced_at: syncedAt } = await getConnection();
  await app.owner(`update brokerage_sandbox.authorizations set data = jsonb_set(data, '{accounts}', '[]')`);
  const { body } = await refresh(id);
  assert.deepEqual([body.status, body.connection.synced_at], ['incomplete', syncedAt]);
});

test('reports that the institution requires a new sign-in', async () => {
  const { id } = await connect(app, 'user_a');
  await app.owner(`update bank_sandbox.items set state = 'login_required'`);
  const { status, body } = await refresh(id);
  assert.deepEqual([status, body.status, body.connection.status], [200, 'sign_in_needed', 'login_required']);
  assert.equal(body.connection.accounts.length, 3);
});

test('returns pending when the reading is slow and finishes it after the response', async () => {
  const slowApp = await startConnectionsApp({ finishTimeoutMs: 1 });
  try {
    const { id } = await connect(slowApp, 'user_a');
    await slowApp.owner('update public.connections set synced_at = null');
    const readSyncedAt = async () =>
      (await slowApp.call('GET', '/api/connections', 'user_a')).body.connections[0].synced_at;
    await slowApp.database.service.transaction(async (sql) => {
      await lockMember(sql, 'user_a');
      const { status, body } = await slowApp.call('POST', `/api/connections/${id}/refresh`, 'user_a');
      assert.deepEqual([status, body.status, body.connection.synced_at], [200, 'pending', null]);
    });
    await eventually(
      async () => (await readSyncedAt()) !== null,
      () => 'the reading is stored',
    );
  } finally {
    await slowApp.close();
  }
});

test('rejects other members and accounts that may not edit, without a reading', async () => {
  const { id } = await connect(app, 'user_a');
  const unknownId = '00000000-0000-4000-8000-000000000000';
  for (const [member, path, headers, status, code] of [
    ['user_b', id, {}, 404, 'NOT_FOUND'],
    ['user_a', unknownId, {}, 404, 'NOT_FOUND'],
    ['user_a', 'x', {}, 404, 'NOT_FOUND'],
  ] as const) {
    const rejected = await refresh(path, member, headers);
    assert.deepEqual([rejected.status, rejected.body.code], [status, code]);
  }
  assert.equal(await countRefreshes(), 0);
});
