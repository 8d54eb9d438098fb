import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'vitest';
import { z } from 'zod';
import { createTestDatabase } from '../../../test/support/database.ts';
import { createTestHttpApp } from '../../../test/support/http-app.ts';
import { sendRequest } from '../../../test/support/identity.ts';
import { addSignedWebhook, type SignedWebhook } from './signed-webhook.ts';
import { createTimestampedHmacScheme } from './webhook-schemes/timestamped-hmac.ts';

const SECRET = 'a key of the tests';
const event = z.looseObject({ id: z.string(), type: z.string() });
type Event = z.infer<typeof event>;

const seconds = (): number => Math.floor(Date.now() / 1000);
const signed = (body: string, at = seconds(), secret = SECRET): Record<string, string> => ({
  'stripe-signature': `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`,
});

/** Adds a sender's route on a separate database, with a table for deliveries and one for their effects. */
async function startWebhook(t: TestContext, changes: Partial<SignedWebhook<Event>> = {}) {
  const { database, owner } = await createTestDatabase(t);
  await owner('create table public.deliveries (id text primary key)');
  await owner('create table public.effects (event text)');
  await owner('grant select, insert on public.deliveries, public.effects to service_role');
  const app = await createTestHttpApp();
  addSignedWebhook(app, {
    path: '/api/webhooks/payments',
    sender: 'the payment provider',
    scheme: createTimestampedHmacScheme('stripe-signature', ['the next key', SECRET]),
    event,
    getEventId: ({ id }) => id,
    sql: database.service,
    recordDelivery: async (sql, id) =>
      (await sql.query('insert into public.deliveries values ($1) on conflict do nothing returning id', [id]))
        .length === 1,
    handle: async (sql, { id, type }) => {
      await sql.query('insert into public.effects values ($1)', [id]);
      if (type === 'broken') throw new Error('The event cannot be applied.');
    },
    ...changes,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  t.onTestFinished(() => app.close());
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/api/webhooks/payments`;
  return {
    deliver: async (body: string, headers = signed(body)) => {
      const answer = await sendRequest(url, 'POST', body, {
        'content-type': 'application/json; charset=utf-8',
        ...headers,
      });
      return [answer.status, answer.body.code ?? answer.body.received] as const;
    },
    effects: async () => (await owner<{ event: string }>('select event from public.effects')).map((row) => row.event),
  };
}

test('applies a signed event once when it is redelivered with new signatures', async (t) => {
  const { deliver, effects } = await startWebhook(t);
  const body = '{"id":"evt_1","type":"paid"}';
  const answers = await Promise.all([0, 1, 2, 3].map((age) => deliver(body, signed(body, seconds() - age))));
  assert.deepEqual(
    answers,
    [0, 1, 2, 3].map(() => [200, true]),
  );
  assert.deepEqual(await deliver(body, signed(body, seconds(), 'the next key')), [200, true]);
  assert.deepEqual(await effects(), ['evt_1']);
  assert.deepEqual(await deliver('{"id":"evt_2","type":"paid"}'), [200, true]);
  assert.deepEqual(await effects(), ['evt_1', 'evt_2']);
});

test('identifies a delivery without an id by the digest of its signed bytes', async (t) => {
  const { deliver, effects } = await startWebhook(t, { getEventId: undefined });
  const body = '{"id":"evt_1","type":"paid"}';
  const headers = signed(body);
  for (const repeatedHeaders of [headers, headers, signed(body, seconds() - 10)])
    assert.deepEqual(await deliver(body, repeatedHeaders), [200, true]);
  assert.deepEqual(await effects(), ['evt_1', 'evt_1'], 'one effect per signature time');
});

test('stores nothing and returns 5xx when handling fails, so that the sender retries', async (t) => {
  const { deliver, effects } = await startWebhook(t);
  const body = '{"id":"evt_1","type":"broken"}';
  for (let i = 0; i < 2; i += 1) assert.deepEqual(await deliver(body), [500, 'INTERNAL']);
  assert.deepEqual(await effects(), []);
});

test('returns 503 for an unavailable check and 401 for a wrong signature first', async (t) => {
  const { deliver } = await startWebhook(t);
  assert.deepEqual(await deliver('{', signed('{', seconds(), 'another')), [401, 'UNAUTHENTICATED']);
  assert.deepEqual(await deliver('{', signed('{', seconds() - 310)), [401, 'UNAUTHENTICATED']);
  assert.deepEqual(await deliver('{', signed('{', seconds() + 310)), [401, 'UNAUTHENTICATED']);
  assert.deepEqual(await deliver('{'), [400, 'INVALID_REQUEST']);
  assert.deepEqual(await deliver('{"id":1}'), [400, 'INVALID_REQUEST']);
  for (const id of ['\\u0000', 'a\\ud800'])
    assert.deepEqual(await deliver(`{"id":"${id}","type":"paid"}`), [400, 'INVALID_REQUEST']);
  const unavailable = await startWebhook(t, { scheme: () => ({ ok: false, reason: 'unavailable' }) });
  assert.deepEqual(await unavailable.deliver('{}'), [503, 'UNAVAILABLE']);
  const unset = await startWebhook(t, { scheme: undefined });
  assert.deepEqual(await unset.deliver('{}'), [503, 'NOT_CONFIGURED']);
});

test('applies the time and size limits of each sender', async (t) => {
  const { deliver } = await startWebhook(t, { tolerance: { past: 86_400, future: 5 }, bodyLimit: 1_000 });
  const body = '{"id":"evt_1","type":"paid"}';
  assert.deepEqual(await deliver(body, signed(body, seconds() - 80_000)), [200, true]);
  assert.deepEqual(await deliver(body, signed(body, seconds() - 86_500)), [401, 'UNAUTHENTICATED']);
  assert.deepEqual(await deliver(body, signed(body, seconds() + 60)), [401, 'UNAUTHENTICATED']);
  assert.deepEqual(await deliver('x'.repeat(1_001)), [413, 'PAYLOAD_TOO_LARGE']);
});
