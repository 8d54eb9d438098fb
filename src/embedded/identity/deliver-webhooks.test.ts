import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../../test/support/eventually.ts';
import { recordStatements } from '../../../test/support/statement-log.ts';
import {
  callBackend,
  type IdentityApp,
  startIdentityApp,
  TestBrowser,
  WEBHOOK_SECRET,
} from '../../../test/support/identity.ts';
import { checkWebhook } from '../../platform/http/signed-webhook.ts';
import { createStandardWebhooksScheme } from '../../platform/http/webhook-schemes/standard-webhooks.ts';
import { type DeliveryOptions, RETRY_SCHEDULE, startWebhookDelivery } from './deliver-webhooks.ts';
import { insertMessage, createOutbox } from './webhook-queries.ts';

interface Attempt {
  id: string;
  headers: IncomingHttpHeaders;
  body: string;
  target: string;
  /** Time of arrival in ms. */
  at: number;
}

/**
 * Starts a receiver that responds with the status of `answer` and records requests. If `answer` returns null, it never
 * responds.
 */
async function receiver(t: TestContext, answer: (attempt: number) => number | null) {
  const attempts: Attempt[] = [];
  const server = createServer(async (request, response) => {
    const at = Date.now();
    let body = '';
    for await (const chunk of request) body += chunk;
    attempts.push({
      id: String(request.headers['svix-id']),
      headers: request.headers,
      body,
      target: `${request.method} ${request.url}`,
      at,
    });
    const status = answer(attempts.length);
    if (status !== null) response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { attempts, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

const begin = (t: TestContext, app: IdentityApp, receiverUrl: string, more: Partial<DeliveryOptions> = {}) => {
  const delivery = startWebhookDelivery({
    sql: app.database.service,
    secret: WEBHOOK_SECRET,
    receiverUrl,
    warn: () => {},
    pollMs: 50,
    ...more,
  });
  t.onTestFinished(() => delivery.stop());
  return delivery;
};

const message = async (app: IdentityApp, id: string) =>
  (
    await app.owner<{ attempts: number; delivered: boolean; given_up: boolean; last_status: number | null }>(
      `select attempts, delivered_at is not null as delivered,
              next_attempt_at is null and delivered_at is null as given_up, last_status
       from idp.webhook_messages where id = $1`,
      [id],
    )
  )[0]!;

test('uses the documented retry schedule', () => {
  assert.deepEqual([...RETRY_SCHEDULE], [5, 300, 1800, 7200, 18_000, 36_000, 36_000]);
});

test('creates the member through a signed event when a person signs up', async (t) => {
  const app = await startIdentityApp(t);
  const delivery = app.getEmbedded().startWebhookDelivery({
    secret: WEBHOOK_SECRET,
    receiverUrl: `${app.url}/api/webhooks/identity`,
    warn: () => {},
    pollMs: 60_000,
  });
  t.onTestFinished(() => delivery.stop());
  const { userId, email, sessionId } = await new TestBrowser(app.url).signUp();
  const readKnown = async () =>
    (await app.owner<{ email: string }>('select email from public.all_users where idp_id = $1', [userId]))[0]?.email;
  await eventually(async () => (await readKnown()) === email);
  await callBackend(app.url, 'POST', `/sessions/${sessionId}/revoke`);
  await callBackend(app.url, 'DELETE', `/users/${userId}`);
  await eventually(async () => (await readKnown()) === undefined);
  const types = await app.owner<{ type: string }>(
    'select type from public.identity_webhook_deliveries order by received_at',
  );
  assert.deepEqual(
    types.map(({ type }) => type),
    ['user.created', 'session.created', 'session.revoked', 'user.deleted'],
  );
});

test('retries with equal id and bytes, signed again, until the schedule ends', async (t) => {
  const app = await startIdentityApp(t);
  const { attempts, url } = await receiver(t, () => 500);
  await insertMessage(app.database.service, 'msg_1', 'user.created', '{"n":1}');
  begin(t, app, url, { retryDelaysSeconds: [0.05, 0.05, 0.05] });
  await eventually(async () => (await message(app, 'msg_1')).given_up);
  assert.equal(attempts.length, 4, 'once, and once for each step of the schedule');
  for (const { id, body, headers } of attempts) {
    assert.deepEqual([id, body], ['msg_1', '{"n":1}']);
    const delivery = { headers, body: Buffer.from(body) };
    const check = await checkWebhook(
      createStandardWebhooksScheme([WEBHOOK_SECRET]),
      { past: 300, future: 300 },
      delivery,
    );
    assert.equal(check.ok, true);
  }
  assert.equal((await message(app, 'msg_1')).last_status, 500);
});

test('stays idle when nothing is due, until it is woken or a message is due', async (t) => {
  const app = await startIdentityApp(t);
  const hook = await receiver(t, (attempt) => (attempt === 1 ? 500 : 200));
  const sent = recordStatements(t);
  const delivery = begin(t, app, hook.url, { pollMs: 60_000, retryDelaysSeconds: [0.5] });
  await sleep(500);
  assert.ok(sent.length <= 2, `${sent.length} statements while nothing was there`);
  await insertMessage(app.database.service, 'msg_rest', 'user.created', '{}');
  delivery.wake();
  await eventually(() => hook.attempts.length === 2);
  await sleep(300);
  assert.ok(sent.length <= 16, `${sent.length} statements for two attempts`);
});

test('retries after a redirect or a timeout until a delivery succeeds', async (t) => {
  const app = await startIdentityApp(t);
  const respond = (attempt: number): number | null => {
    if (attempt === 1) return 302;
    return attempt === 2 ? null : 200;
  };
  const { attempts, url } = await receiver(t, respond);
  await insertMessage(app.database.service, 'msg_1', 'user.created', '{}');
  begin(t, app, url, { retryDelaysSeconds: Array.from({ length: 20 }, () => 0.05), timeoutMs: 400 });
  await eventually(async () => (await message(app, 'msg_1')).delivered);
  const sent = attempts.length;
  assert.ok(sent >= 3);
  assert.deepEqual([...new Set(attempts.map(({ target }) => target))], ['POST /hook'], 'the redirect is not followed');
  await sleep(200);
  assert.equal(attempts.length, sent, 'nothing is sent after a success');
});

test('leaves the message to the next process when one dies during an attempt', async (t) => {
  const app = await startIdentityApp(t);
  const { attempts, url } = await receiver(t, () => 204);
  await insertMessage(app.database.service, 'msg_1', 'user.created', '{}');
  const before = Date.now();
  const claimedMessage = await createOutbox(app.database.service).claim(1);
  assert.equal(claimedMessage?.id, 'msg_1');
  begin(t, app, url);
  await eventually(async () => (await message(app, 'msg_1')).delivered);
  assert.deepEqual(
    attempts.map(({ id }) => id),
    ['msg_1'],
  );
  assert.ok(attempts[0]!.at - before >= 1_000, 'no other process sends it before the lease is over');
  assert.equal((await message(app, 'msg_1')).attempts, 2);
});

test('delivers the message after SIGKILL during an attempt', { tags: ['slow'] }, async (t) => {
  const app = await startIdentityApp(t);
  const { attempts, url } = await receiver(t, (attempt) => (attempt === 1 ? null : 204));
  await insertMessage(app.database.service, 'msg_1', 'user.created', '{"n":1}');
  const urlOf = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
  const options = JSON.stringify({ secret: WEBHOOK_SECRET, receiverUrl: url, leaseSeconds: 2 });
  const script = `
    const { connectDatabase } = await import(${urlOf('../../platform/database/connect.ts')});
    const { startWebhookDelivery } = await import(${urlOf('./deliver-webhooks.ts')});
    const sql = connectDatabase(${JSON.stringify(app.urls)}).service;
    startWebhookDelivery({ ...${options}, sql, warn() {} });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
  t.onTestFinished(() => {
    child.kill('SIGKILL');
  });
  await eventually(() => attempts.length === 1);
  child.kill('SIGKILL');
  await once(child, 'exit');
  begin(t, app, url);
  await eventually(async () => (await message(app, 'msg_1')).delivered);
  assert.deepEqual(
    attempts.map(({ id, body }) => [id, body]),
    [
      ['msg_1', '{"n":1}'],
      ['msg_1', '{"n":1}'],
    ],
  );
});

test('aborts the running attempt and releases the message when it stops', async (t) => {
  const app = await startIdentityApp(t);
  const { attempts, url } = await receiver(t, (attempt) => (attempt === 1 ? null : 200));
  await insertMessage(app.database.service, 'msg_1', 'user.created', '{}');
  const first = begin(t, app, url);
  await eventually(() => attempts.length === 1);
  await first.stop();
  assert.deepEqual(await message(app, 'msg_1'), { attempts: 0, delivered: false, given_up: false, last_status: null });
  begin(t, app, url);
  await eventually(async () => (await message(app, 'msg_1')).delivered);
});

test('delivers each message once with several processes, in order with one process', async (t) => {
  const app = await startIdentityApp(t);
  const { attempts, url } = await receiver(t, () => 200);
  for (let i = 0; i < 20; i += 1) await insertMessage(app.database.service, `msg_${i}`, 'user.created', '{}');
  for (let i = 0; i < 3; i += 1) begin(t, app, url);
  await eventually(
    async () =>
      (
        await app.owner<{ n: number }>(
          'select count(*)::int as n from idp.webhook_messages where delivered_at is not null',
        )
      )[0]!.n === 20,
  );
  assert.equal(new Set(attempts.map(({ id }) => id)).size, 20);
  assert.equal(attempts.length, 20);
});
