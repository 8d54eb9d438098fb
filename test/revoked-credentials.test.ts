import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, test } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { resetPassword } from '../src/embedded/identity/reset-password.ts';
import { createKeyRing } from '../src/embedded/identity/signing-keys.ts';
import { TestBrowser } from './support/identity.ts';
import { startService, type TestService } from './support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

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

test('creates no credential when the session ends before the body has been received', async () => {
  const browser = new TestBrowser(service.url, service.url);
  const { userId, sessionId } = await browser.signUp();
  const jwt = await browser.token(sessionId);
  const pendingRequests = await Promise.all(
    ['/api/api-keys', '/api/assistant/tokens'].map((path) => sendPartialRequest(path, jwt, { name: 'Kept open' })),
  );
  // The guards need time to let both requests through.
  await sleep(500);
  const sql = service.database.database.service;
  const accounts = { demoAccountId: undefined, sampleUserId: undefined };
  const context = { sql, keys: createKeyRing(sql), homeOrigin: service.url, accounts };
  assert.ok((await resetPassword(context, userId)).ok);
  for (const { finish } of pendingRequests) assert.equal(await finish(), 401);
});
