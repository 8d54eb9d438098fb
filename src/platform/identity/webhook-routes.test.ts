import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { createLogger } from '../http/logger.ts';
import { signDelivery } from '../http/webhook-schemes/standard-webhooks.ts';
import { sendRequest, startIdentityApp, WEBHOOK_SECRET } from '../../../test/support/identity.ts';
import type { UserCreated } from './webhook-events.ts';

const seconds = (): number => Date.now() / 1000;
let counter = 0;
const freshId = (): string => {
  counter += 1;
  return `msg_${counter}`;
};

const userEvent = (type: string, id: string, email: string, updatedAt = 1_760_000_000_000): string =>
  JSON.stringify({
    object: 'event',
    type,
    timestamp: updatedAt,
    instance_id: 'ins_1',
    data: {
      id,
      object: 'user',
      email_addresses: [
        { id: 'idn_0', email_address: 'other@example.com' },
        { id: 'idn_1', email_address: email },
      ],
      primary_email_address_id: 'idn_1',
      unsafe_metadata: { ref: 'abcdefghjkmn' },
      created_at: 1_760_000_000_000,
      updated_at: updatedAt,
    },
    event_attributes: { http_request: { client_ip: '192.0.2.1', user_agent: 'test' } },
  });

const deliver = (
  url: string,
  body: string,
  id = freshId(),
  headers: Record<string, string> = signDelivery(WEBHOOK_SECRET, id, body, seconds()),
) => sendRequest(`${url}/api/webhooks/identity`, 'POST', body, { 'content-type': 'application/json', ...headers });

describe('signatures', () => {
  const body = userEvent('user.created', 'user_1', 'a@example.com');
  const OTHER_SECRET = `whsec_${Buffer.from('another secret').toString('base64')}`;
  const validHeaders = signDelivery(WEBHOOK_SECRET, 'msg_1', body, seconds());
  const otherSecretHeaders = signDelivery(OTHER_SECRET, 'msg_1', body, seconds());
  const signature = validHeaders['svix-signature']!;
  const wrongSignature = otherSecretHeaders['svix-signature']!;
  const time = validHeaders['svix-timestamp']!;
  const withSignature = (text: string) => ({ ...validHeaders, 'svix-signature': text });
  const withTime = (text: string) => ({ ...validHeaders, 'svix-timestamp': text });
  const invalidHeaders: Record<string, Record<string, string>> = {
    'another secret': otherSecretHeaders,
    'no headers': {},
    'an empty list': withSignature(''),
    'v1 without signature': withSignature('v1,'),
    'another version': withSignature(signature.replace('v1,', 'v1a,')),
    'no version': withSignature(signature.replace('v1,', '')),
    'two wrong signatures': withSignature(`${wrongSignature} ${wrongSignature}`),
    'truncated base64': withSignature(signature.slice(0, -8)),
    'no padding': withSignature(signature.slice(0, -1)),
    'more behind it': withSignature(`${signature}AAAA`),
    'spaces for the separator': withSignature(signature.replace('v1,', 'v1 ')),
    'another id': { ...validHeaders, 'svix-id': 'msg_2' },
    'a dot in the id': { ...validHeaders, 'svix-id': `msg_1.${time}` },
    'another time': withTime(String(Number(time) + 1)),
    'a time in words': withTime('now'),
    'a time with a fraction': withTime(`${time}.0`),
    'too old': signDelivery(WEBHOOK_SECRET, 'msg_1', body, seconds() - 310),
    'from the future': signDelivery(WEBHOOK_SECRET, 'msg_1', body, seconds() + 310),
    'the standard’s header names': {
      'webhook-id': 'msg_1',
      'webhook-timestamp': time,
      'webhook-signature': signature,
    },
  };

  test('stores nothing of an event without a valid signature', async (t) => {
    const { url, owner } = await startIdentityApp(t);

    for (const [what, headers] of Object.entries(invalidHeaders)) {
      const answer = await deliver(url, body, 'msg_1', headers);
      assert.deepEqual([answer.status, answer.body.code], [401, 'UNAUTHENTICATED'], what);
    }

    assert.deepEqual(await owner('select * from public.all_users'), []);
  });

  test.for([
    ['one more byte', `${body} `],
    ['no bytes', ''],
  ] as const)('rejects a body with %s', async ([, changedBody], t) => {
    const { url, owner } = await startIdentityApp(t);

    assert.equal((await deliver(url, changedBody, 'msg_1', validHeaders)).status, 401);

    assert.deepEqual(await owner('select * from public.all_users'), []);
  });

  test('accepts an event when one of several signatures is valid', async (t) => {
    const { url, owner } = await startIdentityApp(t);

    const headers = withSignature(`v1,AAAA ${wrongSignature} ${signature}`);
    assert.equal((await deliver(url, body, 'msg_1', headers)).status, 200);

    assert.equal((await owner<{ email: string }>('select email from public.all_users'))[0]!.email, 'a@example.com');
  });
});

test('rejects a signed body that is no event', async (t) => {
  const { url } = await startIdentityApp(t);
  for (const body of [
    '',
    'null',
    '[]',
    '{',
    '{"type":"user.created"}',
    '{"object":"event","type":"user.created","data":{}}',
    '{"object":"event","type":"user.deleted","data":{"id":"\\u0000"}}',
    '{"object":"event","type":"a\\u0000"}',
    userEvent('user.created', 'user_1', 'a\0@example.com'),
    userEvent('user.created', 'user_1', '\ud800@example.com'),
  ]) {
    assert.equal((await deliver(url, body)).status, 400, body);
  }
  assert.equal((await deliver(url, '{"object":"event","type":"organization.created","data":{"id":1}}')).status, 200);
  assert.equal((await deliver(url, JSON.stringify({ pad: 'x'.repeat(300_000) }))).status, 413);
});

test('applies each delivery once, even when it arrives several times at once', async (t) => {
  const receivedEvents: UserCreated[] = [];
  const { url } = await startIdentityApp(t, {
    hooks: {
      async onUserCreated(_sql, event) {
        receivedEvents.push(event);
      },
    },
  });
  const body = userEvent('user.created', 'user_1', 'a@example.com');
  const answers = await Promise.all(Array.from({ length: 6 }, () => deliver(url, body, 'msg_once')));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200, 200],
  );
  assert.equal(receivedEvents.length, 1);
  assert.deepEqual(receivedEvents[0], {
    idpId: 'user_1',
    email: 'a@example.com',
    createdAt: new Date(1_760_000_000_000),
    unsafeMetadata: { ref: 'abcdefghjkmn' },
    clientIp: '192.0.2.1',
    userAgent: 'test',
  });
});

test('applies the next delivery when a hook fails', async (t) => {
  let isBroken = true;
  const { url, owner } = await startIdentityApp(t, {
    hooks: {
      onUserCreated: async () => {
        if (isBroken) throw new Error('the referral table is unavailable');
      },
    },
  });
  const body = userEvent('user.created', 'user_1', 'a@example.com');
  const failedResponse = await deliver(url, body, 'msg_again');
  assert.deepEqual([failedResponse.status, failedResponse.body.code], [500, 'INTERNAL']);
  assert.deepEqual(await owner('select * from public.all_users'), []);
  isBroken = false;
  assert.equal((await deliver(url, body, 'msg_again')).status, 200);
  assert.equal((await owner('select * from public.all_users')).length, 1);
});

test('keeps the newest state when events arrive out of order', async (t) => {
  const { url, owner } = await startIdentityApp(t);
  await deliver(url, userEvent('user.updated', 'user_1', 'new@example.com', 1_760_000_002_000));
  await deliver(url, userEvent('user.created', 'user_1', 'first@example.com', 1_760_000_000_000));
  assert.deepEqual(await owner('select email from public.all_users'), [{ email: 'new@example.com' }]);
});

test('logs how referrals are found when a hosted provider has no webhook secret', async (t) => {
  const hosted = { apiUrl: 'http://127.0.0.1:9', frontendApiUrl: 'http://127.0.0.1:9' };
  const captureWarnings = async (webhookSecret: string | undefined): Promise<string> => {
    const lines: string[] = [];
    const logger = createLogger('info', { write: (line: string) => lines.push(line) });
    const { identity, url } = await startIdentityApp(t, { hosted, webhookSecret, logger });
    identity.startBackground!(url);
    return lines.join('');
  };
  assert.match(
    await captureWarnings(undefined),
    /IDP_WEBHOOK_SECRET is not set.*referrals are found only by a request to the provider/,
  );
  assert.equal(await captureWarnings(WEBHOOK_SECRET), '');
});

test('returns 503 NOT_CONFIGURED when the secret is missing', async (t) => {
  const { url } = await startIdentityApp(t, { webhookSecret: undefined });
  assert.equal((await deliver(url, '{}')).body.code, 'NOT_CONFIGURED');
});
