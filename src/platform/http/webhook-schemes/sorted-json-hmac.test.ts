import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'vitest';
import { checkWebhook } from '../signed-webhook.ts';
import { createSortedJsonHmacScheme } from './sorted-json-hmac.ts';

const SECRET = 'consumer key of the tests';
const AT = Date.parse('2026-11-18T20:30:00.123Z') / 1000;
const TOLERANCE = { past: 86_400, future: 300 };

const sign = (text: string | Buffer, secret = SECRET): string =>
  createHmac('sha256', secret).update(text).digest('base64');

const check = (body: string | Buffer, signature: string | string[] | undefined, secrets = [SECRET], now = AT) =>
  checkWebhook(
    createSortedJsonHmacScheme({ header: 'signature', timeField: 'eventTimestamp', secrets }),
    TOLERANCE,
    { headers: { signature }, body: Buffer.from(body) },
    now,
  );

/**
 * Body as Python 3 sends it: `json.dumps(event)`. It signs `json.dumps(event, sort_keys=True, separators=(',', ':'))`.
 */
const SENT = [
  String.raw`{"webhookId": "3fa85f64-5717-4562-b3fc-2c963f66afa6", "clientId": "TALLY", `,
  String.raw`"eventTimestamp": "2026-11-18T20:30:00.123456+00:00", "userId": "b0a4", `,
  String.raw`"eventType": "ACCOUNT_HOLDINGS_UPDATED", "accountId": null, `,
  String.raw`"details": {"positions": {"success": true, "count": 2, "value": 1.0, "small": 1e-07}, `,
  String.raw`"note": "Z\u00fcrich \u2013 \"quoted\" \\ / \t\n\u007f \ud83d\ude00", "list": [{"b": 1, "a": []}, {}], `,
  String.raw`"\uffee": 1, "\ud83d\ude00": 2, "a b": 3}}`,
].join('');
const SORTED = [
  String.raw`{"accountId":null,"clientId":"TALLY","details":{"a b":3,"list":[{"a":[],"b":1},{}],`,
  String.raw`"note":"Z\u00fcrich \u2013 \"quoted\" \\ / \t\n\u007f \ud83d\ude00",`,
  String.raw`"positions":{"count":2,"small":1e-07,"success":true,"value":1.0},"\uffee":1,"\ud83d\ude00":2},`,
  String.raw`"eventTimestamp":"2026-11-18T20:30:00.123456+00:00","eventType":"ACCOUNT_HOLDINGS_UPDATED",`,
  String.raw`"userId":"b0a4","webhookId":"3fa85f64-5717-4562-b3fc-2c963f66afa6"}`,
].join('');
const SIGNATURE = 'W+VCiS9Pfoh2Yko66EtN+UpzrLN9XYsJbPxAEOL5ZN0=';

test('accepts a Python signature in any key order and spacing', async () => {
  assert.equal(sign(SORTED), SIGNATURE);
  const compact = JSON.stringify(JSON.parse(SENT)).replace('"value":1,', '"value":1.0,').replace('1e-7', '1e-07');
  const indented = SENT.replaceAll('": ', '":\n  ').replaceAll('\\u00fc', 'ü').replaceAll('\\ud83d\\ude00', '😀');
  const ids = new Set<string>();
  for (const body of [SENT, SORTED, compact, indented]) {
    const answer = await check(body, SIGNATURE);
    assert.ok(answer.ok, body);
    assert.equal(Math.floor(answer.signedAt), Math.floor(AT));
    ids.add(answer.id);
  }
  assert.equal(ids.size, 1, 'one id for every spelling');
});

test('accepts a signature over the raw body by either secret during a rotation', async () => {
  const raw = `{ "eventTimestamp": "2026-11-18T20:30:00Z",  "value": 1e3 }`;
  assert.equal((await check(raw, sign(raw))).ok, true);
  assert.equal((await check(SENT, SIGNATURE, ['another', SECRET])).ok, true);
  assert.equal((await check(SENT, SIGNATURE, ['another'])).ok, false);
});

test('accepts times in the body up to a day before and five minutes after ours', async () => {
  for (const [age, reason] of [
    [86_000, undefined],
    [-299, undefined],
    [86_401, 'time'],
    [-302, 'time'],
  ] as const) {
    const answer = await check(SENT, SIGNATURE, [SECRET], AT + age);
    assert.equal(answer.ok ? undefined : answer.reason, reason, String(age));
  }
});

test('rejects every other delivery', async () => {
  const signed = (body: string) => [body, sign(body)] as const;
  const bad: Record<string, readonly [string | Buffer, string | string[] | undefined]> = {
    'no header': [SENT, undefined],
    'an empty header': [SENT, ''],
    'two headers': [SENT, [SIGNATURE, SIGNATURE]],
    'two signatures in one': [SENT, `${SIGNATURE},${SIGNATURE}`],
    'another secret': [SENT, sign(SORTED, 'another')],
    'an empty secret': [SENT, sign(SORTED, '')],
    'a truncated signature': [SENT, SIGNATURE.slice(0, -8)],
    'no padding': [SENT, SIGNATURE.slice(0, -1)],
    'more behind it': [SENT, `${SIGNATURE}AAAA`],
    'base64url for base64': [SENT, SIGNATURE.replaceAll('+', '-').replaceAll('/', '_')],
    'hexadecimal for base64': [SENT, Buffer.from(SIGNATURE, 'base64').toString('hex')],
    'another value': [SENT.replace('ACCOUNT_HOLDINGS_UPDATED', 'CONNECTION_DELETED'), SIGNATURE],
    'another number of the same value': [SENT.replace('"value": 1.0', '"value": 1'), SIGNATURE],
    'a field more': [SENT.replace('{"webhookId"', '{"more":1,"webhookId"'), SIGNATURE],
    'a field twice': [SENT.replace('"userId": "b0a4"', '"userId": "b0a4", "userId": "b0a5"'), SIGNATURE],
    'another order of a list': [SENT.replace('[{"b": 1, "a": []}, {}]', '[{}, {"b": 1, "a": []}]'), SIGNATURE],
    'no body': ['', sign('')],
    'no JSON': signed('{'),
    'no UTF-8': [Buffer.from([0x22, 0xff, 0x22]), sign(Buffer.from([0x22, 0xff, 0x22]))],
    'no time': signed('{"webhookId":"1"}'),
    'a time in numbers': signed('{"eventTimestamp":1790000000}'),
    'a time in words': signed('{"eventTimestamp":"yesterday"}'),
    'no object': signed('null'),
    'a list': signed('["2026-11-18T20:30:00Z"]'),
    'deeper than any event': signed(`${'['.repeat(120_000)}${']'.repeat(120_000)}`),
  };
  for (const [what, [body, signature]] of Object.entries(bad))
    assert.equal((await check(body, signature)).ok, false, what);
});
