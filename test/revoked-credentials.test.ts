import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, test } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { resetPassword } from '../src/embedded/identity/reset-password.ts';
import { createKeyRing } from '../src/embedded/identity/signing-keys.ts';
import { callBackend, SECRET_KEY, sendRequest, TestBrowser } from './support/identity.ts';
import { startService, type TestService } from './support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ IDP_SECRET_KEY: SECRET_KEY });
});
afterAll(() => service.stop());

const reset = (userId: string) => {
  const sql = service.database.database.service;
  const accounts = { demoAccountId: undefined, sampleUserId: undefined };
  return resetPassword({ sql, keys: createKeyRing(sql), homeOrigin: service.url, accounts }, userId);
};

/** Creates a member with every kind of credential and returns checks that each of them works. */
async function createCredentials() {
  const { url } = service;
  const browser = new TestBrowser(url, url);
  const otherBrowser = new TestBrowser(url, url);
  const { userId, sessionId, email, password } = await browser.signUp();
  const other = await otherBrowser.call('POST', '/client/sign_ins', { identifier: email, password });
  const otherId = other.body.response.created_session_id as string;
  const jwt = await otherBrowser.token(otherId);
  const asMember = (path: string, body: object) =>
    sendRequest(url + path, 'POST', body, { authorization: `Bearer ${jwt}` });
  const createKey = () => asMember('/api/api-keys', { name: 'Laptop' });
  const createToken = () => asMember('/api/assistant/tokens', { name: 'Laptop' });
  const { key } = (await createKey()).body;
  const { token } = (await createToken()).body;
  const ticket = (await callBackend(url, 'POST', '/sign_in_tokens', { user_id: userId })).body.token as string;
  const getStatus = async (answer: Promise<{ status: number }>) => (await answer).status;
  const isAccepted = {
    session: () => getStatus(browser.call('POST', `/client/sessions/${sessionId}/tokens`, {})),
    otherSession: () => getStatus(otherBrowser.call('POST', `/client/sessions/${otherId}/tokens`, {})),
    apiKey: () =>
      getStatus(sendRequest(`${url}/v1/models`, 'GET', undefined, { 'x-api-key': key, 'svc-version': '2023-06-01' })),
    assistantToken: () =>
      getStatus(
        sendRequest(
          `${url}/mcp`,
          'POST',
          { jsonrpc: '2.0', id: 1, method: 'ping' },
          { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' },
        ),
      ),
    ticket: () => getStatus(new TestBrowser(url, url).call('POST', '/client/sign_ins', { strategy: 'ticket', ticket })),
  };
  return { userId, browser, password, works: isAccepted, jwt, makeKey: createKey, makeToken: createToken };
}

/**
 * Sends a request that announces its body and sends it when `finish` is called. Resolves once the server reads the
 * request.
 */
async function sendPartialRequest(path: string, jwt: string, body: object) {
  const text = JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${jwt}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    expect: '100-continue',
  };
  const sending = request(service.url + path, { method: 'POST', headers });
  sending.flushHeaders();
  await once(sending, 'continue');
  return {
    async finish(): Promise<number | undefined> {
      sending.end(text);
      const [answer] = (await once(sending, 'response')) as [IncomingMessage];
      answer.resume();
      return answer.statusCode;
    },
  };
}

/** Waits for the status. A server may accept a key for five seconds after it has read it. */
async function waitForStatus(status: () => Promise<number>, expected: number): Promise<number> {
  for (let attempts = 0; attempts < 100 && (await status()) !== expected; attempts += 1) await sleep(200);
  return status();
}

test('revokes every credential of only this member when the password is reset', { tags: ['slow'] }, async () => {
  const ada = await createCredentials();
  const bob = await createCredentials();
  for (const name of ['session', 'otherSession', 'apiKey', 'assistantToken'] as const)
    assert.equal(await ada.works[name](), 200, name);
  assert.ok((await reset(ada.userId)).ok);

  assert.equal(await ada.works.session(), 401);
  assert.equal(await ada.works.otherSession(), 401);
  assert.equal(await ada.works.assistantToken(), 401);
  assert.equal(await ada.works.ticket(), 400);
  assert.equal(await waitForStatus(ada.works.apiKey, 401), 401);
  for (const make of [ada.makeKey, ada.makeToken])
    assert.equal((await make()).status, 401, 'a session token that outlives its session makes no new credential');
  for (const name of ['session', 'otherSession', 'apiKey', 'assistantToken', 'ticket'] as const)
    assert.equal(await bob.works[name](), 200, `another member's ${name}`);
});

test('creates no credential when the session ends before the body has been received', async () => {
  const member = await createCredentials();
  const pendingRequests = await Promise.all(
    ['/api/api-keys', '/api/assistant/tokens'].map((path) =>
      sendPartialRequest(path, member.jwt, { name: 'Kept open' }),
    ),
  );
  // The guards need time to let both requests through.
  await sleep(500);
  assert.ok((await reset(member.userId)).ok);
  for (const { finish } of pendingRequests) assert.equal(await finish(), 401);
});

test('revokes API keys and assistant tokens with a password change on request', { tags: ['slow'] }, async () => {
  const member = await createCredentials();
  const change = (current_password: string, new_password: string, fields: object) =>
    member.browser.call('POST', '/me/change_password', { current_password, new_password, ...fields });
  assert.equal((await change(member.password, 'a new password', {})).status, 200);
  assert.equal(await member.works.session(), 200, 'the session that changes it stays');
  assert.equal(await member.works.otherSession(), 401);
  assert.equal(await member.works.ticket(), 400);
  assert.equal(await member.works.assistantToken(), 200);
  assert.equal(await member.works.apiKey(), 200);

  const wrongPassword = await change('wrong horse', 'another new password', { revoke_api_keys_and_tokens: 'true' });
  assert.equal(wrongPassword.status, 422);
  assert.equal(await member.works.assistantToken(), 200, 'a rejected change revokes nothing');

  const revoking = await change('a new password', 'another new password', { revoke_api_keys_and_tokens: 'true' });
  assert.equal(revoking.status, 200);
  assert.equal(await member.works.assistantToken(), 401);
  assert.equal(await waitForStatus(member.works.apiKey, 401), 401);
});
