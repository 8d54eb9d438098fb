import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { test } from 'vitest';
import { startCountServer } from '../../../../test/support/count-server.ts';
import { isQuickCount } from './quick-count.ts';

const BURST = 150;

const ask = (content: string): string =>
  JSON.stringify({ model: 'claude-sonnet-4-5', messages: [{ role: 'user', content }] });

/** Takes about 2 ms, which is nearly the most that is counted in the main thread. */
const costly = ask(Array.from({ length: 1_000 }, (_, index) => `The number ${index * 7_919} is large.`).join('\n'));

test.for([
  { what: 'counts', keyTier: 4, expected: 200 },
  { what: 'is rejected', keyTier: 1, expected: 429 },
] as const)('lets other organizations pass when one $what in a burst', async ({ keyTier, expected }, t) => {
  assert.ok(isQuickCount(Buffer.from(costly)));
  const server = await startCountServer({ rateLimits: [1, 2_000, 4_000, 8_000] }, t);
  const burstKey = await server.createKey('Burst', keyTier);
  const agent = new Agent({ keepAlive: true });
  t.onTestFinished(() => agent.destroy());
  const send = (method: string, path: string, key: string, body = ''): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = { 'x-api-key': key, 'svc-version': '2023-06-01', 'content-type': 'application/json' };
      request(server.url + path, { method, agent, headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode!));
      })
        .on('error', reject)
        .end(body);
    });
  const count = (key: string, body: string) => send('POST', '/v1/messages/count_tokens', key, body);
  await count(burstKey, costly);
  await count(server.key, ask('Hello'));
  // Open connections deliver all requests to one turn of the event loop.
  await Promise.all(Array.from({ length: BURST + 1 }, () => send('GET', '/v1/models', server.key)));

  let answered = 0;
  const burst = Array.from({ length: BURST }, async () => {
    const status = await count(burstKey, costly);
    answered += 1;
    return status;
  });
  const status = await count(server.key, ask('Hello'));
  const answeredBefore = answered;
  assert.equal(status, 200);
  assert.ok(answeredBefore < BURST / 2, `${answeredBefore} of ${BURST} were answered before`);
  assert.deepEqual([...new Set(await Promise.all(burst))], [expected]);
});
