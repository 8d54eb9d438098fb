import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { gunzipSync } from 'node:zlib';
import Anthropic, { AuthenticationError, BadRequestError, NotFoundError, RateLimitError } from '@anthropic-ai/sdk';
import { type CountServer, startCountServer } from '../../../../test/support/count-server.ts';
import { recordingFor } from '../../../../test/support/recordings.ts';

let server: CountServer;
beforeAll(async () => {
  server = await startCountServer({ rateLimits: [3, 3, 1_000_000, 1_000_000] });
});
afterAll(() => server.close());

const HELLO = { model: 'claude-opus-5', messages: [{ role: 'user' as const, content: 'Hello, Claude' }] };

/** Creates the official client with only the server's address and the key. */
const client = (options: ConstructorParameters<typeof Anthropic>[0] = {}) =>
  new Anthropic({ baseURL: server.url, apiKey: server.key, ...options });

describe('the official client library', () => {
  test('counts with the stable and the beta API and exposes the request id', async () => {
    const counted = await client().messages.countTokens(HELLO);
    assert.ok(counted.input_tokens > 3);
    const beta = await client().beta.messages.countTokens({ ...HELLO, betas: ['token-counting-2024-11-01'] });
    assert.equal(beta.input_tokens, counted.input_tokens);
    const { request_id } = await client().messages.countTokens(HELLO).withResponse();
    assert.match(request_id!, /^req_/);
  });

  test('throws its own error classes with our messages and ids', async () => {
    const invalidRequest = {
      ...HELLO,
      messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: '' }] }],
    };
    await assert.rejects(client().messages.countTokens(invalidRequest), (error: unknown) => {
      assert.ok(error instanceof BadRequestError);
      assert.match(error.message, /text content blocks must be non-empty/);
      assert.match(error.requestID!, /^req_/);
      return true;
    });
    await assert.rejects(client({ apiKey: 'sk-wrong' }).messages.countTokens(HELLO), AuthenticationError);
    await assert.rejects(client().messages.countTokens({ ...HELLO, model: 'claude-none' }), (error: unknown) => {
      assert.ok(error instanceof NotFoundError);
      assert.match(error.message, /model: claude-none/);
      return true;
    });
    const large = { ...HELLO, system: 'x'.repeat(33 * 1024 * 1024) };
    await assert.rejects(
      client().messages.countTokens(large),
      (error: unknown) => (error as { status?: number }).status === 413,
    );
  });

  test('retries after retry-after when the response is 429', async () => {
    const key = await server.createKey('Small', 1);
    const answers: number[] = [];
    const waits: number[] = [];
    // Shorten the wait of up to one minute. Everything else is the client's own behavior.
    const timeoutClient: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      answers.push(response.status);
      if (response.status !== 429) return response;
      waits.push(Number(response.headers.get('retry-after')));
      const headers = new Headers(response.headers);
      headers.set('retry-after', '0.01');
      return new Response(await response.text(), { status: 429, headers });
    };
    const retrying = client({ apiKey: key, fetch: timeoutClient, maxRetries: 2 });
    for (let index = 0; index < 3; index += 1) await retrying.messages.countTokens(HELLO);
    await assert.rejects(retrying.messages.countTokens(HELLO), RateLimitError);
    assert.deepEqual(answers, [200, 200, 200, 429, 429, 429]);
    for (const wait of waits) assert.ok(wait >= 1 && wait <= 60, String(wait));
  });

  test('lists the models', async () => {
    const ids: string[] = [];
    for await (const model of client().models.list({ limit: 5 })) ids.push(model.id);
    assert.ok(ids.length > 5);
    assert.equal(new Set(ids).size, ids.length);
    assert.equal((await client().models.retrieve(ids[0]!)).id, ids[0]);
  });

  test('returns the recorded counts for recorded requests', async (t) => {
    const file = recordingFor(t, 'calibration.jsonl.gz');
    if (file === undefined) return;
    interface Row {
      api: string;
      flags: object;
      true_input_tokens: number;
      request: Anthropic.MessageCountTokensParams;
    }
    const rows = gunzipSync(readFileSync(file))
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Row)
      .filter((row) => row.api === 'count_tokens' && Object.keys(row.flags).length === 0)
      .slice(0, 100);
    assert.ok(rows.length >= 20, `${rows.length} recorded requests`);
    let exact = 0;
    for (const row of rows) {
      const { input_tokens } = await client().messages.countTokens(row.request);
      if (input_tokens === row.true_input_tokens) exact += 1;
    }
    console.log(`${exact} of ${rows.length} recorded counts are exact`);
    assert.ok(exact >= rows.length * 0.9, `${exact} of ${rows.length}`);
  });
});
