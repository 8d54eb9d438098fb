import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { test, type TestContext } from 'vitest';
import { createLogger } from '../../../platform/http/logger.ts';
import { answerWith, type Call } from './answer.ts';

/** Sends one request to a server and leaves its answer to the test. */
async function openExchange(t: TestContext) {
  const server = createServer();
  t.onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = request({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  // A connection that is cut is an error for the client.
  client.on('error', () => {});
  client.end();
  const [raw, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  const observed: number[] = [];
  const logLines: string[] = [];
  const answer = (handle: (call: Call) => Promise<{ ok: true; json: string }>) =>
    answerWith(
      handle,
      {
        request: { id: 'req_1', raw } as FastifyRequest,
        reply: { raw: response, hijack: () => {} } as unknown as FastifyReply,
        route: '/v1/x',
      },
      {
        logger: createLogger('error', { write: (line) => void logLines.push(line) }),
        observe: ({ status }) => void observed.push(status),
      },
    );
  return { client, answer, observed, logLines };
}

test('logs 499 when the client left before the answer was ready', async (t) => {
  const { client, answer, observed } = await openExchange(t);
  await answer(async ({ response }) => {
    client.destroy();
    await once(response, 'close');
    return { ok: true, json: '{}' };
  });
  assert.deepEqual(observed, [499]);
});

test('closes the connection and logs the error when the answer cannot be sent', async (t) => {
  const { client, answer, logLines } = await openExchange(t);
  const closed = new Promise((resolve) => client.once('close', resolve));
  await answer(async ({ headers }) => {
    headers.push('x-broken', 'line\nbreak');
    return { ok: true, json: '{}' };
  });
  await closed;
  assert.match(logLines.join(), /the answer could not be sent/);
});
