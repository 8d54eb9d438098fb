import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, eventuallyEquals } from '../../../test/support/eventually.ts';
import { recordStatements } from '../../../test/support/statement-log.ts';
import {
  callBackend,
  type IdentityApp,
  LOW_COST,
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

const insert = ({ database }: IdentityApp, id: string, payload = '{}') =>
  insertMessage(database.service, { id, type: 'user.created', userId: 'user_1', payload });

const readAttempts = async ({ owner }: IdentityApp): Promise<number[]> =>
  (await owner<{ attempts: number }>('select attempts from idp.webhook_messages')).map(({ attempts }) => attempts);

/** Waits until no message is stored: each is delivered or given up. */
const waitForEmptyOutbox = (app: IdentityApp) => eventuallyEquals(() => readAttempts(app), []);

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
  await insert(app, 'msg_1', '{"n":1}');
  begin(t, app, url, { retryDelaysSeconds: [0.05, 0.05, 0.05] });
  await waitForEmptyOutbox(app);
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
});

test('stays idle when nothing is due, until it is woken or a message is due', async (t) => {
  const app = await startIdentityApp(t);
  const hook = await receiver(t, (attempt) => (attempt === 1 ? 500 : 200));
  const sent = recordStatements(t);
  const delivery = begin(t, app, hook.url, { pollMs: 60_000, retryDelaysSeconds: [0.5] });
  await sleep(500);
  assert.ok(sent.length <= 2, `${sent.length} statements while nothing was there`);
  await insert(app, 'msg_rest');
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
  await insert(app, 'msg_1');
  begin(t, app, url, { retryDelaysSeconds: Array.from({ length: 20 }, () => 0.05), timeoutMs: 400 });
  await waitForEmptyOutbox(app);
  const sent = attempts.length;
  assert.ok(sent >= 3);
  assert.deepEqual([...new Set(attempts.map(({ target }) => target))], ['POST /hook'], 'the redirect is not followed');
  await sleep(200);
  assert.equal(attempts.length, sent, 'nothing is sent after a success');
});

test('leaves the message to the next process when one dies during an attempt', async (t) => {
  const app = await startIdentityApp(t);
  const { attempts, url } = await receiver(t, () => 204);
  await insert(app, 'msg_1');
  const before = Date.now();
  const claimedMessage = await createOutbox(app.database.service).claim(1);
  assert.equal(claimedMessage?.id, 'msg_1');
  begin(t, app, url);
  await waitForEmptyOutbox(app);
  assert.deepEqual(
    attempts.map(({ id }) => id),
    ['msg_1'],
  );
  assert.ok(attempts[0]!.at - before >= 1_000, 'no other process sends it before the lease is over');
});

test('delivers the message after SIGKILL during an attempt', { tags: ['slow'] }, async (t) => {
  const app = await startIdentityApp(t);
  const { attempts, url } = await receiver(t, (attempt) => (attempt === 1 ? null : 204));
  await insert(app, 'msg_1', '{"n":1}');
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
  await waitForEmptyOutbox(app);
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
  await insert(app, 'msg_1');
  const first = begin(t, app, url);
  await eventually(() => attempts.length === 1);
  await first.stop();
  assert.deepEqual(await readAttempts(app), [0]);
  begin(t, app, url);
  await waitForEmptyOutbox(app);
});

test('delivers each message once with several processes, in order with one process', async (t) => {
  const app = await startIdentityApp(t);
  const { attempts, url } = await receiver(t, () => 200);
  for (let i = 0; i < 20; i += 1) await insert(app, `msg_${i}`);
  for (let i = 0; i < 3; i += 1) begin(t, app, url);
  await waitForEmptyOutbox(app);
  assert.equal(new Set(attempts.map(({ id }) => id)).size, 20);
  assert.equal(attempts.length, 20);
});

test('delivers only the id of a deleted user, when older events wait for another attempt', async (t) => {
  const app = await startIdentityApp(t);
  const { attempts, url } = await receiver(t, (attempt) => (attempt === 1 ? 500 : 200));
  const { userId, email } = await new TestBrowser(app.url).signUp();
  begin(t, app, url, { retryDelaysSeconds: [3_600] });
  // The failed attempt is due again in an hour, and the later event is delivered.
  await eventuallyEquals(() => readAttempts(app), [1]);
  assert.equal((await callBackend(app.url, 'DELETE', `/users/${userId}`)).status, 200);
  await waitForEmptyOutbox(app);
  const last = JSON.parse(attempts.at(-1)!.body);
  assert.deepEqual(
    [last.type, last.data, last.event_attributes],
    [
      'user.deleted',
      { id: userId, object: 'user', deleted: true },
      { http_request: { client_ip: '', user_agent: '' } },
    ],
  );
  assert.equal(attempts.filter(({ body }) => body.includes(email)).length, 1, 'before the deletion');
});

test('stores nothing about a deleted user when an attempt that was running fails', async (t) => {
  const app = await startIdentityApp(t);
  const { attempts, url } = await receiver(t, (attempt) => (attempt === 1 ? null : 200));
  const { userId } = await new TestBrowser(app.url).signUp();
  begin(t, app, url, { timeoutMs: 2_000, retryDelaysSeconds: [0.05] });
  await eventually(() => attempts.length === 1);
  assert.equal((await callBackend(app.url, 'DELETE', `/users/${userId}`)).status, 200);
  await waitForEmptyOutbox(app);
  assert.deepEqual(
    attempts.map(({ body }) => JSON.parse(body).type),
    ['user.created', 'user.deleted'],
  );
});

test('stores no event about a user when changes run during the deletion', async (t) => {
  const app = await startIdentityApp(t);
  for (let round = 0; round < 5; round += 1) {
    const browser = new TestBrowser(app.url);
    const { userId, sessionId } = await browser.signUp();
    await Promise.all([
      browser.call('POST', '/me/metadata', { _method: 'PATCH', unsafe_metadata: '{"n":1}' }),
      callBackend(app.url, 'POST', `/sessions/${sessionId}/revoke`),
      callBackend(app.url, 'DELETE', `/users/${userId}`),
      browser.call('PATCH', '/me', { first_name: 'Ada' }),
    ]);
    assert.deepEqual(await app.owner('select type from idp.webhook_messages where user_id = $1', [userId]), [
      { type: 'user.deleted' },
    ]);
  }
});

test('replaces a waiting update of the same user by the newer one', async (t) => {
  const app = await startIdentityApp(t);
  const first = new TestBrowser(app.url);
  const { userId } = await first.signUp();
  await new TestBrowser(app.url).signUp();
  for (const first_name of ['Ann', 'Bea', 'Cleo']) await first.call('PATCH', '/me', { first_name });
  const messages = await app.owner<{ type: string; name: string | null }>(
    `select type, payload::jsonb #>> '{data,first_name}' as name from idp.webhook_messages
     where user_id = $1 order by place`,
    [userId],
  );
  assert.deepEqual(
    messages.map(({ type, name }) => `${type} ${name}`),
    ['user.created null', 'session.created null', 'user.updated Cleo'],
  );
});

test('stores at most as many delivered events of a user as the limit of a day when each is delivered at once', async (t) => {
  const app = await startIdentityApp(t, {
    embedded: { passwordCost: LOW_COST, limits: { changesPerMemberAndDay: 3 } },
  });
  const delivery = app.getEmbedded().startWebhookDelivery({
    secret: WEBHOOK_SECRET,
    receiverUrl: `${app.url}/api/webhooks/identity`,
    warn: () => {},
    pollMs: 60_000,
  });
  t.onTestFinished(() => delivery.stop());
  const browser = new TestBrowser(app.url);
  const { password } = await browser.signUp();
  const changes: [method: string, path: string, form: Record<string, string>][] = [
    ['PATCH', '/me', { first_name: 'Ada' }],
    ['POST', '/me?_method=PATCH', { first_name: 'Ada' }],
    ['PATCH', '/me/metadata', { unsafe_metadata: '{}' }],
    ['POST', '/me/metadata?_method=PATCH', { unsafe_metadata: '{}' }],
  ];
  const statuses: number[] = [];
  for (const [method, path, form] of changes) {
    statuses.push((await browser.call(method, path, form)).status);
    await waitForEmptyOutbox(app);
  }
  assert.deepEqual(statuses, [200, 200, 200, 429]);
  const countUpdates = async () =>
    (await app.owner(`select from public.identity_webhook_deliveries where type = 'user.updated'`)).length;
  assert.equal(await countUpdates(), 3);
  // A thief of the session cannot keep the member from a new password or from the app.
  const changePassword = { current_password: password, new_password: 'a password of my own' };
  assert.equal((await browser.call('POST', '/me/change_password', changePassword)).status, 200);
  const prepared: number[] = [];
  for (let i = 0; i < 4; i += 1) prepared.push((await browser.call('POST', '/me/totp', {})).status);
  assert.deepEqual(prepared, [200, 200, 200, 429]);
});

test("delivers another user's message before the second message of a user with many", async (t) => {
  const app = await startIdentityApp(t);
  const { attempts, url } = await receiver(t, () => 200);
  const insert = (id: string, userId: string) =>
    insertMessage(app.database.service, { id, type: 'session.created', payload: '{}', userId });
  for (let i = 0; i < 5; i += 1) await insert(`msg_busy_${i}`, 'user_busy');
  for (let i = 0; i < 2; i += 1) await insert(`msg_quiet_${i}`, 'user_quiet');
  begin(t, app, url);
  await eventually(() => attempts.length === 7);
  assert.deepEqual(
    attempts.map(({ id }) => id),
    ['busy_0', 'quiet_0', 'busy_1', 'quiet_1', 'busy_2', 'busy_3', 'busy_4'].map((name) => `msg_${name}`),
  );
});
