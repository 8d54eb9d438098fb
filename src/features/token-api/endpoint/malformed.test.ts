// @module-tag slow
import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import fc from 'fast-check';
import { arbitraryRequest, mutate } from '../../../../test/support/arbitrary-requests.ts';
import { type CountServer, startCountServer } from '../../../../test/support/count-server.ts';

let server: CountServer;
beforeAll(async () => {
  server = await startCountServer();
});
afterAll(() => server.close());

/** Any body: a valid request with a change, with truncated or altered bytes, any JSON, or any bytes. */
const anyBody = fc.oneof(
  fc
    .tuple(arbitraryRequest, fc.array(fc.nat(), { minLength: 8, maxLength: 8 }), fc.jsonValue({ maxDepth: 1 }))
    .map(([body, choices, value]) => Buffer.from(JSON.stringify(mutate(body, () => choices.shift() ?? 0, value)))),
  fc
    .tuple(arbitraryRequest, fc.nat(), fc.integer({ min: 0, max: 255 }), fc.boolean())
    .map(([body, where, byte, cut]) => {
      const bytes = Buffer.from(JSON.stringify(body));
      const at = where % bytes.length;
      if (cut) return bytes.subarray(0, at);
      bytes[at] = byte;
      return bytes;
    }),
  fc.json().map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

test('returns a documented response and never 500 when a body is malformed', async () => {
  const seen = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(anyBody, async (body) => {
      const response = await server.post(body, { signal: AbortSignal.timeout(60_000) });
      const responseBody = (await response.json()) as {
        input_tokens?: number;
        type?: string;
        error?: { type: string; message: string };
        request_id?: string;
      };
      seen.set(response.status, (seen.get(response.status) ?? 0) + 1);
      assert.ok([200, 400, 404].includes(response.status), `${response.status} ${JSON.stringify(responseBody)}`);
      assert.match(response.headers.get('request-id')!, /^req_/);
      if (response.status === 200)
        return assert.ok(Number.isInteger(responseBody.input_tokens) && responseBody.input_tokens! > 0);
      assert.equal(responseBody.type, 'error');
      assert.equal(responseBody.request_id, response.headers.get('request-id'));
      assert.ok(
        responseBody.error!.message.length > 0 && responseBody.error!.message.length < 1_000,
        responseBody.error!.message,
      );
    }),
    { numRuns: 1_000 },
  );
  assert.ok(seen.get(400)! > 300, `the bodies are too tame: ${JSON.stringify([...seen])}`);
});
