import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { assertDocumented } from '../../../test/support/documented-responses.ts';
import { createScopedHttpApp } from '../../../test/support/http-app.ts';
import { sendRequest } from '../../../test/support/identity.ts';
import { AppError } from '../../errors.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { createLogger } from '../../platform/http/logger.ts';
import { createMetrics } from '../../platform/http/metrics.ts';
import { createGuards } from '../../platform/identity/guards.ts';
import { MEMBER_KEY_LIMIT } from './create-api-key.ts';
import { createTokenCounting, type TokenCounting } from './token-counting.ts';

let testDatabase: TestDatabase;
let app: HttpApp;
let counting: TokenCounting;
let url = '';

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  await testDatabase.owner(
    `insert into public.all_users (idp_id) values ('user_a'), ('user_b'), ('user_demo'), ('user_sample')`,
  );
  const logger = createLogger('silent');
  const metrics = createMetrics();
  counting = createTokenCounting({
    sql: testDatabase.database.service,
    logger,
    metrics,
    rateLimits: 'off',
    workers: 0,
    // Another module implements sign-in. A header identifies the member here.
    guards: createGuards(async (request) => {
      const idpId = request.headers['x-member'];
      if (typeof idpId !== 'string') throw new AppError('UNAUTHENTICATED');
      const special = { isDemoAccount: idpId === 'user_demo', isSampleUser: idpId === 'user_sample' };
      return { idpId, sessionId: 'sess_1', verifiedAt: Date.now() / 1000, ...special };
    }),
  });
  const { registerV1, register } = counting;
  app = await createScopedHttpApp({ logger, metrics, bodyLimit: 10_000 }, { v1: registerV1, addOtherRoutes: register });
  await app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await app.close();
  await counting.close();
  await testDatabase.drop();
});

interface Body {
  key: string;
  api_key: { id: string; name: string; hint: string; usage_tier: number; revoked_at: string | null };
  api_keys: { id: string; name: string; revoked_at: string | null }[];
  limit: number;
  code: string;
}

async function call(
  method: string,
  path: string,
  member?: string,
  body?: object,
): Promise<{ status: number; body: Body }> {
  const response = await sendRequest(url + path, method, body, member === undefined ? {} : { 'x-member': member });
  assertDocumented(method, path, response);
  return { status: response.status, body: response.body as Body };
}

const count = async (key: string): Promise<number> => {
  const body = JSON.stringify({ model: 'claude-opus-5', messages: [{ role: 'user', content: 'Hi' }] });
  const headers = { 'x-api-key': key, 'svc-version': '2023-06-01', 'content-type': 'application/json' };
  return (await fetch(`${url}/v1/messages/count_tokens`, { method: 'POST', headers, body })).status;
};

describe("a member's API keys", () => {
  test('creates, uses, lists and revokes a key without showing it again', async () => {
    const created = await call('POST', '/api/api-keys', 'user_a', { name: ' laptop ' });
    assert.equal(created.status, 201);
    const { key, api_key } = created.body;
    assert.deepEqual(
      [api_key.name, api_key.hint, api_key.usage_tier, api_key.revoked_at],
      ['laptop', key.slice(-4), 1, null],
    );
    assert.equal(await count(key), 200);
    const listed = await call('GET', '/api/api-keys', 'user_a');
    assert.deepEqual(listed.body.api_keys, [api_key]);
    assert.equal(listed.body.limit, MEMBER_KEY_LIMIT);
    assert.ok(!JSON.stringify(listed.body).includes(key));
    assert.equal((await call('DELETE', `/api/api-keys/${api_key.id}`, 'user_a')).status, 204);
    assert.equal(await count(key), 401);
  });

  test('shows keys to their owner only', async () => {
    const { api_key, key } = (await call('POST', '/api/api-keys', 'user_a', { name: 'mine' })).body;
    assert.deepEqual((await call('GET', '/api/api-keys', 'user_b')).body.api_keys, []);
    const rejected = await call('DELETE', `/api/api-keys/${api_key.id}`, 'user_b');
    assert.deepEqual([rejected.status, rejected.body.code], [404, 'NOT_FOUND']);
    assert.equal(await count(key), 200);
  });

  test('rejects a bad body and an unknown key', async () => {
    for (const body of [
      {},
      { name: '' },
      { name: '  ' },
      { name: 'a'.repeat(121) },
      { name: 'a\0' },
      { name: 'gnp.\u202Eexe' },
      { name: 'a\nb' },
      { name: '\ud800' },
      { name: 'a', tier: 4 },
    ]) {
      const rejected = await call('POST', '/api/api-keys', 'user_a', body);
      assert.deepEqual([rejected.status, rejected.body.code], [400, 'INVALID_REQUEST'], JSON.stringify(body));
    }
    assert.equal((await call('DELETE', '/api/api-keys/none', 'user_a')).status, 404);
  });

  test('rejects another key at the limit', async () => {
    for (let index = 0; index < MEMBER_KEY_LIMIT; index += 1)
      assert.equal((await call('POST', '/api/api-keys', 'user_b', { name: `${index}` })).status, 201);
    const rejected = await call('POST', '/api/api-keys', 'user_b', { name: 'one more' });
    assert.deepEqual(
      [rejected.status, rejected.body.code, rejected.body.limit],
      [403, 'LIMIT_REACHED', MEMBER_KEY_LIMIT],
    );
  });

  test('handles the routes of /v1 with one function in the application', async () => {
    const injected = await app.inject({ method: 'GET', url: '/v1/models' });
    assert.equal(injected.statusCode, 401);
    assert.equal(injected.json<{ type: string }>().type, 'error');
  });
});
