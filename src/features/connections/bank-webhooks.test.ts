import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import {
  connect,
  type ConnectionsApp,
  startAttempt,
  startConnectionsApp,
  completeBankPage,
} from '../../../test/support/connections-app.ts';
import { eventuallyEquals } from '../../../test/support/eventually.ts';
import { sendRequest } from '../../../test/support/identity.ts';
import { createSigner } from '../../embedded/bank/sign-webhook.ts';

let app: ConnectionsApp;
beforeAll(async () => {
  app = await startConnectionsApp();
  await app.startWork();
});
afterAll(() => app.close());

const listConnections = async (member: string) => (await app.call('GET', '/api/connections', member)).body.connections;
const seconds = (): number => Math.floor(Date.now() / 1_000);

async function deliver(event: object, { at = seconds(), sent }: { at?: number; sent?: string } = {}) {
  const body = JSON.stringify(event, null, 2);
  const token = await createSigner(app.database.service).sign(body, at);
  return sendRequest(`${app.url}/api/webhooks/bank`, 'POST', sent ?? body, {
    'content-type': 'application/json',
    'plaid-verification': token,
  });
}

test('finishes an abandoned page by its webhook, also by a late one', { tags: ['slow'] }, async () => {
  await completeBankPage(app, (await startAttempt(app, 'user_a')).url);
  await eventuallyEquals(async () => (await listConnections('user_a')).length, 1);
  await completeBankPage(app, (await startAttempt(app, 'user_b')).url, { user: 'user_late' });
  const waiting = await app.owner('select 1 as waits from bank_sandbox.webhook_messages where attempts = 0');
  assert.equal(waiting.length, 1);
  app.advanceClock(60);
  await eventuallyEquals(async () => (await listConnections('user_b')).length, 1);
});

test('finishes the attempt by the poll when the webhook is lost', async () => {
  await app.owner(`insert into public.all_users (idp_id) values ('user_lost')`);
  await completeBankPage(app, (await startAttempt(app, 'user_lost')).url, { user: 'user_lost' });
  await app.owner(`update public.connection_attempts set created_at = now() - interval '5 minutes'`);
  await app.connections.tasks!['poll-connection-attempts']!({} as never, {} as never);
  await eventuallyEquals(async () => (await listConnections('user_lost')).length, 1);
});

test('reports an expiring bank until it is repaired', { tags: ['slow'] }, async () => {
  await app.owner(`insert into public.all_users (idp_id) values ('user_soon')`);
  await connect(app, 'user_soon', { user: 'user_expiring' });
  app.advanceClock(5);
  await eventuallyEquals(async () => (await listConnections('user_soon'))[0].status, 'expiring');
  const [{ external_id: item_id }] = (await app.owner<{ external_id: string }>(
    `select external_id from public.connections where idp_id = 'user_soon'`,
  )) as [{ external_id: string }];
  const event = { webhook_type: 'ITEM', webhook_code: 'LOGIN_REPAIRED', item_id };
  assert.equal((await deliver(event)).status, 200);
  await eventuallyEquals(async () => (await listConnections('user_soon'))[0].status, 'active');
});

test('accepts a webhook only with its raw bytes in time', async () => {
  const event = { webhook_type: 'ITEM', webhook_code: 'ERROR', item_id: 'item_of_nobody' };
  const body = JSON.stringify(event, null, 2);
  assert.equal((await deliver(event)).status, 200);
  assert.match(await app.registry.metrics(), /tally_connection_webhooks_unknown_total\{provider="plaid"\} 1/);
  assert.equal((await deliver(event, { sent: JSON.stringify(event) })).status, 401, 'the same JSON in other bytes');
  for (const at of [seconds() - 360, seconds() + 360]) assert.equal((await deliver(event, { at })).status, 401);
  assert.equal((await sendRequest(`${app.url}/api/webhooks/bank`, 'POST', body)).status, 401, 'no signature');
  assert.match(await app.registry.metrics(), /tally_connection_webhooks_unknown_total\{provider="plaid"\} 1/);
});
