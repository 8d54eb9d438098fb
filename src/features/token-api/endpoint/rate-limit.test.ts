import assert from 'node:assert/strict';
import { test } from 'vitest';
import { startCountServer } from '../../../../test/support/count-server.ts';

const HELLO = JSON.stringify({ model: 'claude-opus-5', messages: [{ role: 'user', content: 'Hi' }] });

test('limits requests per organization, independent of their status', async (t) => {
  const server = await startCountServer({ rateLimits: [5, 7, 9, 11] }, t);
  const key = await server.createKey('Small', 1);
  const second = await server.createKey('Small', 1);
  const other = await server.createKey('Other', 2);
  const call = async (apiKey: string, body = HELLO) => {
    const response = await server.post(body, { key: apiKey });
    const responseBody = (await response.json()) as { error?: { type: string; message: string } };
    const limit = (name: string) => response.headers.get(`anthropic-ratelimit-requests-${name}`);
    return { status: response.status, answer: responseBody, limit, retryAfter: response.headers.get('retry-after') };
  };

  const answers = await Promise.all([key, second, key, second, key, second, key].map((apiKey) => call(apiKey)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 5);
  const rejected = answers.filter(({ status }) => status === 429);
  assert.equal(rejected.length, 2);
  for (const { answer: responseBody, limit, retryAfter } of rejected) {
    assert.equal(responseBody.error?.type, 'rate_limit_error');
    assert.match(responseBody.error.message, /rate limit of 5 requests per minute/);
    assert.equal(limit('limit'), '5');
    assert.equal(limit('remaining'), '0');
    assert.ok(Number(retryAfter) >= 1 && Number(retryAfter) <= 60, retryAfter!);
    const reset = limit('reset')!;
    assert.match(reset, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    assert.ok(Date.parse(reset) > Date.now() && Date.parse(reset) < Date.now() + 62_000);
  }
  assert.deepEqual(
    new Set(answers.filter(({ status }) => status === 200).map(({ limit }) => limit('remaining'))),
    new Set(['4', '3', '2', '1', '0']),
  );

  const invalidResponse = await call(other, 'not json');
  assert.deepEqual(
    [invalidResponse.status, invalidResponse.limit('remaining')],
    [400, '6'],
    'a wrong request counts, and carries the headers',
  );
  const text = await server.readMetrics();
  assert.match(text, /tally_token_count_rate_limited_total 2/);
  assert.match(text, /tally_token_count_key_lookups_total [1-9]/);
  assert.match(text, /tally_token_count_body_bytes 0\n/);
  assert.match(text, /tally_token_count_body_budget_bytes [1-9]\d{7}/);
});
