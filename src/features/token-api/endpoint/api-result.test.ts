import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { test, type TestContext } from 'vitest';
import { createLogger } from '../../../platform/http/logger.ts';
import { sendApiResult, type ApiCall } from './api-result.ts';

/** Sends one request to a server and returns the exchange, so that the test can respond. */
async function startExchange(t: TestContext) {
  const server = createServer();
  t.onTestFinished(() => {
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = request({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  // The client emits an error if the connection is cut.
  client.on('error', () => {});
  client.end();
  const [raw, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  const observed: number[] = [];
  const logLines: string[] = [];
  const respond = (handle: (call: ApiCall) => Promise<{ ok: true; json: string }>) =>
    sendApiResult(
      handle,
      {
        request: { id: 'req_1', raw } as FastifyRequest,
        reply: { raw: response, hijack: () => {} } as unknown as FastifyReply,
        route: '/v1/x',
      },
      {
        logger: createLogger('error', { write: (line) => logLines.push(line) }),
        observe: ({ status }) => {
          observed.push(status);
        },
      },
    );
  return { client, respond, observed, logLines };
}

test('logs 499 when the client disconnects before the response is ready', async (t) => {
  const { client, respond, observed } = await startExchange(t);
  await respond(async ({ response }) => {
    client.destroy();
    await once(response, 'close');
    return { ok: true, json: '{}' };
  });
  assert.deepEqual(observed, [499]);
});

test('closes the connection and logs the error when the response cannot be sent', async (t) => {
  const { client, respond, logLines } = await startExchange(t);
  const closed = new Promise((resolve) => client.once('close', resolve));
  await respond(async ({ headers }) => {
    headers.push('x-broken', 'line\nbreak');
    return { ok: true, json: '{}' };
  });
  await closed;
  const { msg, method, route } = JSON.parse(logLines.join()) as Record<string, unknown>;
  assert.deepEqual([msg, method, route], ['failed to send or log the response', 'GET', '/v1/x']);
});
