import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { checkWebhook } from '../signed-webhook.ts';
import { signDelivery, standardWebhooks } from './standard-webhooks.ts';

const SECRET = `whsec_${randomBytes(24).toString('base64')}`;
const BODY = '{"type":"user.created","data":{"name":"Zoë"}}';
const NOW = 1_790_000_000;

const check = (headers: Record<string, string | string[]>, secrets = [SECRET], body = BODY) =>
  checkWebhook(standardWebhooks(secrets), { past: 300, future: 300 }, { headers, body: Buffer.from(body) }, NOW);

test('signatures agree with the standard’s own library, both ways', async () => {
  const library = new Webhook(SECRET);
  const at = new Date();
  const ours = signDelivery(SECRET, 'msg_1', BODY, at.getTime() / 1000);
  library.verify(BODY, {
    'webhook-id': ours['svix-id']!,
    'webhook-timestamp': ours['svix-timestamp']!,
    'webhook-signature': ours['svix-signature']!,
  });
  const then = new Date(NOW * 1000);
  const theirs = {
    'svix-id': 'msg_1',
    'svix-timestamp': String(NOW),
    'svix-signature': library.sign('msg_1', then, BODY),
  };
  assert.deepEqual(await check(theirs), { ok: true, id: 'msg_1', signedAt: NOW });
});

test('while a secret is rotated either one is good', async () => {
  const next = `whsec_${randomBytes(24).toString('base64')}`;
  const old = signDelivery(SECRET, 'msg_1', BODY, NOW);
  assert.equal((await check(old, [next, SECRET])).ok, true);
  assert.deepEqual(await check(old, [next]), { ok: false, reason: 'signature' });
  assert.deepEqual(await check(old, []), { ok: false, reason: 'signature' });
  const both = {
    ...old,
    'svix-signature': `${signDelivery(next, 'msg_1', BODY, NOW)['svix-signature']} ${old['svix-signature']}`,
  };
  assert.equal((await check(both)).ok, true);
});

test('the time may lie five minutes behind ours or ahead of it, and no second more', async () => {
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

test('a header that comes twice is none', async () => {
  const good = signDelivery(SECRET, 'msg_1', BODY, NOW);
  for (const name of ['svix-id', 'svix-timestamp', 'svix-signature'])
    assert.deepEqual(await check({ ...good, [name]: [good[name]!, good[name]!] }), { ok: false, reason: 'headers' });
});
