import assert from 'node:assert/strict';
import { test } from 'vitest';
import { startCountServer } from '../../../../test/support/count-server.ts';

test('accepts cached keys and asks others to retry when the database is unavailable', async (t) => {
  const server = await startCountServer({}, t);
  const other = await server.createKey('Other');
  const body = JSON.stringify({ model: 'claude-opus-5', messages: [{ role: 'user', content: 'Hi' }] });
  const call = async (key: string) => {
    const headers = {
      'x-api-key': key,
      'svc-version': '2023-06-01',
      'content-type': 'application/json',
      'x-request-id': 'caller-id-0001',
    };
    const response = await fetch(`${server.url}/v1/messages/count_tokens`, { method: 'POST', headers, body });
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as { error?: { type: string }; request_id?: string },
    };
  };
  assert.equal((await call(server.key)).status, 200);
  await server.database.database.close();
  assert.equal((await call(server.key)).status, 200);
  const response = await call(other);
  assert.deepEqual([response.status, response.body.error?.type], [529, 'overloaded_error']);
  assert.ok(Number(response.headers.get('retry-after')) >= 1);
  assert.equal(response.headers.get('x-request-id'), 'caller-id-0001');
  assert.equal(response.headers.get('request-id'), response.body.request_id);
});

test('returns API errors for HEAD and unknown paths under /v1', async (t) => {
  const server = await startCountServer({}, t);
  const headers = { 'x-api-key': server.key, 'anthropic-version': '2026-10-21' };
  const head = await fetch(`${server.url}/v1/models`, { method: 'HEAD', headers });
  assert.deepEqual([head.status, await head.text()], [200, '']);
  for (const path of [
    '/v1',
    '/v1/',
    '/v1?x=1',
    '/v1/messages/count_tokens/',
    '/v1/models/',
    '/v1/models/%zz',
    '/v1/models/a/b',
    '/v1/%00',
  ]) {
    const response = await fetch(server.url + path, { headers });
    const { type, request_id } = (await response.json()) as { type: string; request_id: string };
    assert.deepEqual([response.status, type, request_id], [404, 'error', response.headers.get('request-id')], path);
  }
  assert.equal((await fetch(`${server.url}/v1x`)).headers.get('request-id'), null, 'not ours');
});
