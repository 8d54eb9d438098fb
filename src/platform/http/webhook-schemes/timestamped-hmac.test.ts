import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'vitest';
import { checkWebhook } from '../signed-webhook.ts';
import { createTimestampedHmacScheme } from './timestamped-hmac.ts';

const SECRET = 'whsec_a key of the tests';
const BODY = '{"id":"evt_1","type":"invoice.paid","amount":1.0}';
const NOW = 1_790_000_000;

const hex = (text: string, secret = SECRET, algorithm = 'sha256') =>
  createHmac(algorithm, secret).update(text).digest('hex');
const validHeader = `t=${NOW},v1=${hex(`${NOW}.${BODY}`)}`;

const check = (value: string | string[] | undefined, secrets = [SECRET], body = BODY, header = 'stripe-signature') =>
  checkWebhook(
    createTimestampedHmacScheme('stripe-signature', secrets),
    { past: 300, future: 300 },
    { headers: { [header]: value }, body: Buffer.from(body) },
    NOW,
  );

test('accepts signatures of either secret during a rotation and beside other versions', async () => {
  const answer = await check(validHeader);
  assert.ok(answer.ok && answer.signedAt === NOW && /^[0-9a-f]{64}$/.test(answer.id));
  assert.equal((await check(validHeader, ['another', SECRET])).ok, true);
  const signature = validHeader.split('v1=')[1]!;
  assert.equal((await check(`t=${NOW},v1=${'0'.repeat(64)},v1=${signature},v0=${'1'.repeat(64)}`)).ok, true);
  assert.equal((await check(`v1=${signature},t=${NOW}`)).ok, true);
  // printf '%s' '1790000000.{"id":"evt_1"}' | openssl dgst -sha256 -hmac secret
  const knownSignature = '7fcf48b8959e0f36ebf46850ecb03fdfb15a355e866c0f20bf6a261cbcfb186e';
  assert.equal((await check(`t=${NOW},v1=${knownSignature}`, ['secret'], '{"id":"evt_1"}')).ok, true);
});

test('accepts times up to five minutes before and after ours', async () => {
  for (const [at, ok] of [
    [NOW - 300, true],
    [NOW + 300, true],
    [NOW - 301, false],
    [NOW + 301, false],
  ] as const)
    assert.equal((await check(`t=${at},v1=${hex(`${at}.${BODY}`)}`)).ok, ok, String(at - NOW));
});

test('returns equal ids for a redelivery and different ids for other deliveries', async () => {
  const getDeliveryId = async (value: string, body = BODY): Promise<string> => {
    const answer = await check(value, [SECRET], body);
    assert.ok(answer.ok);
    return answer.id;
  };
  const repeatedTime = `t=${NOW},v1=${'0'.repeat(64)},v1=${validHeader.split('v1=')[1]}`;
  assert.equal(
    await getDeliveryId(validHeader),
    await getDeliveryId(repeatedTime),
    "independent of the header's spelling",
  );
  assert.notEqual(await getDeliveryId(validHeader), await getDeliveryId(`t=${NOW},v1=${hex(`${NOW}.{}`)}`, '{}'));
  assert.notEqual(
    await getDeliveryId(validHeader),
    await getDeliveryId(`t=${NOW + 1},v1=${hex(`${NOW + 1}.${BODY}`)}`),
  );
});

test('rejects every other delivery', async () => {
  const signature = validHeader.split('v1=')[1]!;
  const bad: Record<string, string | string[] | undefined> = {
    'no header': undefined,
    'an empty header': '',
    'two headers': [validHeader, validHeader],
    'another secret': `t=${NOW},v1=${hex(`${NOW}.${BODY}`, 'another')}`,
    'an empty secret': `t=${NOW},v1=${hex(`${NOW}.${BODY}`, '')}`,
    'no time': `v1=${signature}`,
    'two times': `t=${NOW},t=${NOW + 1},v1=${signature}`,
    'the same time twice': `t=${NOW},${validHeader}`,
    'another time': `t=${NOW + 1},v1=${signature}`,
    'a time with a fraction': `t=${NOW}.0,v1=${hex(`${NOW}.0.${BODY}`)}`,
    'a time in words': `t=now,v1=${hex(`now.${BODY}`)}`,
    'a negative time': `t=-${NOW},v1=${hex(`-${NOW}.${BODY}`)}`,
    'milliseconds for seconds': `t=${NOW}000,v1=${hex(`${NOW}000.${BODY}`)}`,
    'no signature': `t=${NOW}`,
    'an empty signature': `t=${NOW},v1=`,
    'another version': `t=${NOW},v0=${signature}`,
    'a later version': `t=${NOW},v2=${signature}`,
    'a truncated signature': validHeader.slice(0, -2),
    'more behind it': `${validHeader}00`,
    'capital letters': `t=${NOW},v1=${signature.toUpperCase()}`,
    'base64 for hexadecimal': `t=${NOW},v1=${Buffer.from(signature, 'hex').toString('base64')}`,
    'only the hash of the body': `t=${NOW},v1=${hex(BODY)}`,
    'a semicolon for the comma': validHeader.replace(',', ';'),
    'another algorithm': `t=${NOW},v1=${hex(`${NOW}.${BODY}`, SECRET, 'sha512')}`,
    'a header of many kilobytes': `${validHeader},${'v0=0,'.repeat(1_000)}`,
  };
  for (const [what, value] of Object.entries(bad)) assert.equal((await check(value)).ok, false, what);
  assert.equal((await check(validHeader, [SECRET], `${BODY} `)).ok, false, 'one byte more');
  assert.equal(
    (await check(validHeader, [SECRET], BODY.replace('1.0', '1'))).ok,
    false,
    'the same JSON in other bytes',
  );
  assert.equal((await check(validHeader, [SECRET], '')).ok, false, 'no body');
  assert.equal((await check(validHeader, [])).ok, false, 'no secret');
  assert.equal((await check(validHeader, [SECRET], BODY, 'signature')).ok, false, 'another header');
});
