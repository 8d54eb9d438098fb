import assert from 'node:assert/strict';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'vitest';
import { json } from 'node:stream/consumers';
import { createTestHttpApp } from '../../../test/support/http-app.ts';
import { createOperatorGuard, type OperatorOptions } from './operator-guard.ts';

const TOKEN = '0123456789abcdef'.repeat(4);
const INTERNAL_API_TOKEN = 'an internal token of another interface';
const NAME = 'DEMO_ACCESS_OPERATOR_TOKEN';

type Headers = Record<string, string | string[]>;

/** Starts one guarded route and calls it over a real connection, so that a repeated header arrives twice. */
async function startGuarded(t: TestContext, options: Partial<OperatorOptions> = {}, trustedProxies: string[] = []) {
  const app = await createTestHttpApp({ trustedProxies });
  const guard = createOperatorGuard({ name: NAME, token: TOKEN, maxPerMinute: 1_000, ...options });
  app.post('/api/guarded', { config: { guard } }, async () => ({ done: true }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  t.onTestFinished(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  return async (headers: Headers, body = '', path = '/api/guarded') => {
    const answer = await new Promise<IncomingMessage>((resolve, reject) =>
      request({ port, path, method: 'POST', headers }, resolve).on('error', reject).end(body),
    );
    const read = (await json(answer)) as { code?: string; done?: boolean };
    return { status: answer.statusCode!, code: read.code ?? (read.done ? 'done' : '?'), headers: answer.headers };
  };
}

test('accepts the token when the scheme is in any case', async (t) => {
  const call = await startGuarded(t);
  for (const authorization of [`Bearer ${TOKEN}`, `bearer ${TOKEN}`, `BEARER   ${TOKEN}`, `Bearer ${TOKEN} `])
    assert.equal((await call({ authorization })).status, 200, authorization);
});

test('returns 400 when two headers contain a credential, valid or not', async (t) => {
  const call = await startGuarded(t);
  for (const authorization of [
    [`Bearer ${TOKEN}`, `Bearer ${TOKEN}`],
    [`Bearer ${TOKEN}`, 'Bearer other'],
    ['Bearer other', `Bearer ${TOKEN}`],
  ]) {
    const { status, code } = await call({ authorization });
    assert.deepEqual([status, code], [400, 'INVALID_REQUEST'], authorization.join());
  }
});

const INVALID_CREDENTIALS: Record<string, Headers> = {
  'no header': {},
  'an empty header': { authorization: '' },
  'only the scheme': { authorization: 'Bearer' },
  'an empty token': { authorization: 'Bearer ' },
  'the token without a scheme': { authorization: TOKEN },
  'another scheme': { authorization: `Basic ${TOKEN}` },
  'the token as a password': { authorization: `Basic ${Buffer.from(`operator:${TOKEN}`).toString('base64')}` },
  'no blank behind the scheme': { authorization: `Bearer${TOKEN}` },
  'a colon for the blank': { authorization: `Bearer: ${TOKEN}` },
  'a tab for the blank': { authorization: `Bearer\t${TOKEN}` },
  quotes: { authorization: `Bearer "${TOKEN}"` },
  'another case': { authorization: `Bearer ${TOKEN.toUpperCase()}` },
  'one character less': { authorization: `Bearer ${TOKEN.slice(0, -1)}` },
  'one character more': { authorization: `Bearer ${TOKEN}0` },
  'one character other': { authorization: `Bearer ${TOKEN.slice(0, -1)}0` },
  'padding behind it': { authorization: `Bearer ${TOKEN}=` },
  'two tokens in one header': { authorization: `Bearer ${TOKEN}, Bearer ${TOKEN}` },
  'two tokens': { authorization: `Bearer ${TOKEN} ${TOKEN}` },
  'a huge token': { authorization: `Bearer ${TOKEN.repeat(100)}` },
  'a token of a thousand signs that begins well': { authorization: `Bearer ${TOKEN}${'0'.repeat(1_000)}` },
  'the internal token': { authorization: `Bearer ${INTERNAL_API_TOKEN.replaceAll(' ', '-')}` },
  'the internal token’s own header': { 'x-internal-token': TOKEN },
  'a cookie': { cookie: `__session=${TOKEN}; token=${TOKEN}` },
  'a proxy’s header': { 'proxy-authorization': `Bearer ${TOKEN}`, 'x-forwarded-authorization': `Bearer ${TOKEN}` },
  'an API key’s header': { 'x-api-key': TOKEN },
  'letters beyond ASCII': { authorization: `Bearer ${TOKEN}é` },
  'the name of the setting': { authorization: `Bearer ${NAME}` },
  'the word undefined': { authorization: 'Bearer undefined' },
};

test.for(Object.entries(INVALID_CREDENTIALS))('rejects %s', async ([, headers], t) => {
  const call = await startGuarded(t);

  const answer = await call(headers);

  assert.deepEqual([answer.status, answer.code], [401, 'UNAUTHENTICATED']);
  assert.equal(answer.headers['www-authenticate'], 'Bearer');
});

test('rejects a token in the address', async (t) => {
  const call = await startGuarded(t);

  assert.equal((await call({}, '', `/api/guarded?access_token=${TOKEN}`)).status, 401);
});

test('rejects a request before its body is read', async (t) => {
  const call = await startGuarded(t);

  assert.equal((await call({ 'content-type': 'application/json' }, '{')).status, 401);
});

test('returns 431 when headers are too large', async (t) => {
  const call = await startGuarded(t);

  assert.equal((await call({ authorization: `Bearer ${'0'.repeat(40_000)}` })).status, 431);
});

test('compares a token of any length without an error', async (t) => {
  const call = await startGuarded(t, { token: 'short' });
  assert.equal((await call({ authorization: 'Bearer short' })).status, 200);
  for (const wrongToken of ['s', 'shor', 'shortt', 'x'.repeat(512)])
    assert.equal((await call({ authorization: `Bearer ${wrongToken}` })).status, 401, wrongToken);
});

test('returns the error of the route when the setting is missing', async (t) => {
  const unset = await startGuarded(t, { token: undefined });
  const empty = await startGuarded(t, { token: '' });
  const hidden = await startGuarded(t, { token: undefined, missingSettingCode: 'NOT_FOUND' });
  for (const authorization of [`Bearer ${TOKEN}`, 'Bearer undefined', 'Bearer ', '']) {
    for (const call of [unset, empty]) {
      const { status, code } = await call({ authorization });
      assert.deepEqual([status, code], [503, 'NOT_CONFIGURED']);
    }
    const { status, code } = await hidden({ authorization });
    assert.deepEqual([status, code], [404, 'NOT_FOUND']);
  }
});

test('limits the requests of an address, even with a valid token', async (t) => {
  let now = 0;
  const call = await startGuarded(t, { maxPerMinute: 3, now: () => now }, ['127.0.0.1']);
  const callFrom = (address: string, token = 'wrong') =>
    call({ authorization: `Bearer ${token}`, 'x-forwarded-for': address });
  for (let i = 0; i < 3; i += 1) assert.equal((await callFrom('192.0.2.1')).status, 401);
  const rejected = await callFrom('192.0.2.1', TOKEN);
  assert.deepEqual([rejected.status, rejected.code], [429, 'RATE_LIMITED']);
  assert.equal(rejected.headers['retry-after'], '60');
  assert.equal((await callFrom('192.0.2.2', TOKEN)).status, 200, 'another address is not the first');
  now = 60_000;
  assert.equal((await callFrom('192.0.2.1', TOKEN)).status, 200, 'the minute is over');
});

test('ignores a forged address when no proxy is trusted', async (t) => {
  const call = await startGuarded(t, { maxPerMinute: 2 });
  const callFrom = (address: string) => call({ authorization: 'Bearer wrong', 'x-forwarded-for': address });
  assert.equal((await callFrom('192.0.2.1')).status, 401);
  assert.equal((await callFrom('192.0.2.2')).status, 401);
  assert.equal((await callFrom('192.0.2.3')).status, 429);
});
