import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, test } from 'vitest';
import pg from 'pg';
import { embeddedKeys } from '../../../test/support/aggregator-over-socket.ts';
import {
  connectBrokerage,
  type ConnectionsApp,
  startAttempt,
  startConnectionsApp,
  completeBrokeragePortal,
} from '../../../test/support/connections-app.ts';
import { eventually, eventuallyEquals } from '../../../test/support/eventually.ts';
import { sendRequest } from '../../../test/support/identity.ts';

let app: ConnectionsApp;
beforeAll(async () => {
  app = await startConnectionsApp();
  await app.startWork();
});
afterAll(() => app.close());

const listConnections = async (member: string) => (await app.call('GET', '/api/connections', member)).body.connections;
const addMember = (member: string) => app.owner('insert into public.all_users (idp_id) values ($1)', [member]);
const start = (member: string) => startAttempt(app, member, { kind: 'brokerage' });
const countUnknownWebhooks = async (): Promise<number> => {
  const [, count = '0'] =
    /webhooks_unknown_total\{provider="snaptrade"\} (\d+)/.exec(await app.registry.metrics()) ?? [];
  return Number(count);
};
const sign = (text: string): string =>
  createHmac('sha256', embeddedKeys('brokerage').secret).update(text).digest('base64');
const deliver = async (body: string, signature: string) =>
  (
    await sendRequest(`${app.url}/api/webhooks/brokerage`, 'POST', body, {
      'content-type': 'application/json',
      signature,
    })
  ).status;
const isoTimeIn = (secondsFromNow: number): string => new Date(Date.now() + secondsFromNow * 1_000).toISOString();
/** Creates an event of an unknown connection. The count of unknown connections shows whether the event was handled. */
const createEvent = (overrides: object = {}) => ({
  webhookId: randomUUID(),
  clientId: 'SANDBOX',
  eventTimestamp: isoTimeIn(0),
  userId: 'nobody',
  eventType: 'CONNECTION_BROKEN',
  brokerageAuthorizationId: randomUUID(),
  ...overrides,
});

test('finishes an abandoned page by its webhook, a late one or the poll', async () => {
  await completeBrokeragePortal(app, (await start('user_a')).url);
  await eventuallyEquals(async () => (await listConnections('user_a')).length, 1);
  await completeBrokeragePortal(app, (await start('user_b')).url, { user: 'user_late' });
  assert.equal((await listConnections('user_b')).length, 0);
  app.advanceClock(60);
  await addMember('user_lost');
  await completeBrokeragePortal(app, (await start('user_lost')).url, { user: 'user_lost' });
  await app.owner(`update public.connection_attempts set created_at = now() - interval '5 minutes'`);
  await app.connections.tasks!['poll-connection-attempts']!({} as never, {} as never);
  await eventuallyEquals(async () => (await listConnections('user_lost')).length, 1);
  await eventuallyEquals(async () => (await listConnections('user_b')).length, 1);
  assert.equal(await countUnknownWebhooks(), 0, 'a connection that is being made is none that was lost');
});

test(
  'reports a broken connection immediately and detects a removal at the aggregator',
  { tags: ['slow'] },
  async () => {
    await addMember('user_broken');
    const { id } = await connectBrokerage(app, 'user_broken', { user: 'user_expiring' });
    app.advanceClock(30);
    await eventuallyEquals(async () => (await listConnections('user_broken'))[0].status, 'login_required');
    const [{ external_id, user_id }] = (await app.owner(
      `select c.external_id, a.owner_id as user_id from public.connections c
       join brokerage_sandbox.authorizations a on a.id::text = c.external_id where c.id = $1`,
      [id],
    )) as [{ external_id: string; user_id: string }];
    await app.owner(`update brokerage_sandbox.authorizations set state = 'removed' where id::text = $1`, [external_id]);
    const body = JSON.stringify(
      createEvent({
        eventType: 'ACCOUNT_REMOVED',
        userId: user_id,
        brokerageAuthorizationId: undefined,
        accountId: 'x',
      }),
    );
    assert.equal(await deliver(body, sign(body)), 200);
    await eventuallyEquals(async () => (await listConnections('user_broken'))[0].status, 'revoked');
    const deletedEvent = JSON.stringify(createEvent({ eventType: 'CONNECTION_DELETED' }));
    assert.equal(await deliver(deletedEvent, sign(deletedEvent)), 200);
    assert.equal(await countUnknownWebhooks(), 0, 'what was removed here is not lost');
  },
);

test('counts no unknown connection when it is stored during the look-up', async () => {
  const [{ external_id, user_id }] = (await app.owner(
    `select c.external_id, u.external_id::text as user_id from public.connections c
       join public.brokerage_users u using (idp_id) where c.idp_id = 'user_a'`,
  )) as [{ external_id: string; user_id: string }];
  const name = 'update public.connections set external_id = $2 where external_id = $1';
  await app.owner(name, [external_id, 'not yet']);
  const before = await countUnknownWebhooks();
  const lockHolder = new pg.Client({ connectionString: app.ownerUrl });
  await lockHolder.connect();
  try {
    await lockHolder.query('begin');
    await lockHolder.query('lock table public.connection_attempts');
    const added = { eventType: 'CONNECTION_ADDED', userId: user_id, brokerageAuthorizationId: external_id };
    const body = JSON.stringify(createEvent(added));
    const delivered = deliver(body, sign(body));
    const waitingQuery = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await eventually(async () => (await app.owner(waitingQuery)).length > 0);
    await lockHolder.query(name, ['not yet', external_id]);
    await lockHolder.query('commit');
    assert.equal(await delivered, 200);
  } finally {
    await lockHolder.end();
  }
  assert.equal(await countUnknownWebhooks(), before);
});

test('accepts each webhook once for a day, signed over sorted or raw bytes', async () => {
  const first = createEvent();
  const { webhookId, eventTimestamp, brokerageAuthorizationId } = first;
  // Body as Python sorts and escapes it. A number keeps its spelling, which JavaScript would change.
  const sorted =
    `{"brokerageAuthorizationId":"${brokerageAuthorizationId}","clientId":"SANDBOX",` +
    String.raw`"details":{"a":"Z\u00fcrich \ud83d\ude00","value":1.0},` +
    `"eventTimestamp":"${eventTimestamp}","eventType":"CONNECTION_BROKEN","userId":"nobody",` +
    `"webhookId":"${webhookId}"}`;
  const reordered =
    `{"webhookId": "${webhookId}", "userId": "nobody", "eventType": "CONNECTION_BROKEN", "details": ` +
    `{"value": 1.0, "a": "Zürich 😀"}, "eventTimestamp": "${eventTimestamp}", "clientId": "SANDBOX", ` +
    `"brokerageAuthorizationId": "${brokerageAuthorizationId}"}`;
  const before = await countUnknownWebhooks();
  const countNewUnknown = async (): Promise<number> => (await countUnknownWebhooks()) - before;
  assert.equal(await deliver(reordered, sign(sorted)), 200);
  assert.equal(await countNewUnknown(), 1);
  assert.equal(await deliver(sorted, sign(sorted)), 200, 'the same delivery again');
  assert.equal(await deliver(JSON.stringify({ ...createEvent(), webhookId }), sign('{}')), 401);
  const repeated = JSON.stringify({ ...createEvent(), webhookId });
  assert.equal(await deliver(repeated, sign(repeated)), 200, 'its id with other contents');
  assert.equal(await countNewUnknown(), 1, 'is handled once');
  for (const invalidBody of [reordered.replace('1.0', '1'), reordered.replace('"a"', '"b"'), `${reordered} {}`])
    assert.equal(await deliver(invalidBody, sign(sorted)), 401);

  const raw = JSON.stringify(createEvent({ details: { value: 1e3 } }), null, 2);
  assert.equal(await deliver(raw, sign(raw)), 200, 'signed unchanged');
  assert.equal(await countNewUnknown(), 2);
  for (const [seconds, status] of [
    [-86_000, 200],
    [240, 200],
    [-86_500, 401],
    [400, 401],
  ] as const) {
    const body = JSON.stringify(createEvent({ eventTimestamp: isoTimeIn(seconds) }));
    assert.equal(await deliver(body, sign(body)), status, String(seconds));
  }
  assert.equal(await countNewUnknown(), 4);
});

test('does not sync when the provider reports a failed update', async () => {
  const listJobs = async () =>
    (await app.owner(`select from graphile_worker._private_jobs where key like 'sync-%'`)).length;
  const [{ external_id, user }] = (await app.owner(
    `select c.external_id, u.external_id::text as user from public.connections c
       join public.brokerage_users u using (idp_id) where c.idp_id = 'user_a'`,
  )) as [{ external_id: string; user: string }];
  const readSyncedAt = async () => (await listConnections('user_a'))[0].synced_at as string;
  // Jobs of earlier tests must finish first.
  await eventuallyEquals(listJobs, 0);
  const before = await readSyncedAt();
  const eventFields = { eventType: 'ACCOUNT_HOLDINGS_UPDATED', userId: user, brokerageAuthorizationId: external_id };
  const deliverHoldingsUpdate = async (success: boolean) => {
    const body = JSON.stringify(createEvent({ ...eventFields, details: { positions: { success, error: null } } }));
    assert.equal(await deliver(body, sign(body)), 200);
  };
  await deliverHoldingsUpdate(false);
  assert.equal(await listJobs(), 0);
  assert.equal(await readSyncedAt(), before);
  await deliverHoldingsUpdate(true);
  await eventuallyEquals(async () => (await readSyncedAt()) > before, true);
});
