import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'vitest';
import { checkWebhook } from '../signed-webhook.ts';
import { signDelivery, createStandardWebhooksScheme } from './standard-webhooks.ts';

const SECRET = `whsec_${randomBytes(24).toString('base64')}`;
const BODY = '{"type":"user.created","data":{"name":"Zoë"}}';
const NOW = 1_790_000_000;

const check = (headers: Record<string, string | string[]>, secrets = [SECRET], body = BODY) =>
  checkWebhook(
    createStandardWebhooksScheme(secrets),
    { past: 300, future: 300 },
    { headers, body: Buffer.from(body) },
    NOW,
  );

/** Test vector that the libraries of the standard share (github.com/standard-webhooks/standard-webhooks). */
const VECTOR = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  time: 1_614_265_330,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

test('signs and verifies the test vector of the standard', async () => {
  const headers = {
    'svix-id': VECTOR.id,
    'svix-timestamp': String(VECTOR.time),
    'svix-signature': VECTOR.signature,
  };
  const signed = signDelivery(VECTOR.secret, VECTOR.id, VECTOR.body, VECTOR.time);
  for (const [name, value] of Object.entries(headers)) assert.equal(signed[name], value);
  const delivery = { headers, body: Buffer.from(VECTOR.body) };
  const tolerance = { past: 300, future: 300 };
  const scheme = createStandardWebhooksScheme([VECTOR.secret]);
  assert.deepEqual(await checkWebhook(scheme, tolerance, delivery, VECTOR.time), {
    ok: true,
    id: VECTOR.id,
    signedAt: VECTOR.time,
  });
  const tampered = { ...delivery, body: Buffer.from('{"test": 2432232315}') };
  assert.deepEqual(await checkWebhook(scheme, tolerance, tampered, VECTOR.time), { ok: false, reason: 'signature' });
});

test('accepts either secret during a rotation', async () => {
  const next = `whsec_${randomBytes(24).toString('base64')}`;
  const old = signDelivery(SECRET, 'msg_1', BODY, NOW);
  assert.equal((await check(old, [next, SECRET])).ok, true);
  assert.deepEqual(await check(old, [next]), { ok: false, reason: 'signature' });
  assert.deepEqual(await check(old, []), { ok: false, reason: 'signature' });
  const bothSignatures = {
    ...old,
    'svix-signature': `${signDelivery(next, 'msg_1', BODY, NOW)['svix-signature']} ${old['svix-signature']}`,
  };
  assert.equal((await check(bothSignatures)).ok, true);
});

test('accepts times up to five minutes before and after ours', async () => {
  for (const [at, ok] of [
    [NOW - 300, true],
    [NOW + 300, true],
    [NOW - 301, false],
    [NOW + 301, false],
  ] as const) {
    const answer = await check(signDelivery(SECRET, 'msg_1', BODY, at));
    assert.deepEqual(answer, ok ? { ok, id: 'msg_1', signedAt: at } : { ok, reason: 'time' });
  }
});

test('rejects a delivery when a header occurs twice', async () => {
  const validHeaders = signDelivery(SECRET, 'msg_1', BODY, NOW);
  for (const name of ['svix-id', 'svix-timestamp', 'svix-signature'])
    assert.deepEqual(await check({ ...validHeaders, [name]: [validHeaders[name]!, validHeaders[name]!] }), {
      ok: false,
      reason: 'headers',
    });
});
