import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { test, type TestContext } from 'vitest';
import { connectToPort, connectToServer } from '../../../test/support/connect-to-server.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { createScopedHttpApp } from '../../../test/support/http-app.ts';
import type { HttpApp } from './app-type.ts';
import { createUnreadLimiter } from './limit-unread-response.ts';

/** More bytes than the buffers of both ends of a connection take. */
const LARGE = Buffer.alloc(16 * 1024 * 1024);

const UNLIMITED = { milliseconds: 600_000, bytesPerSecond: Infinity, maxBytes: Infinity };

/** Sends a request to a server that responds with `respond`, and reads nothing of the response. */
async function sendWithoutReading(t: TestContext, respond: (response: ServerResponse) => void): Promise<Socket> {
  const socket = await connectToServer(t, (_request, response) => respond(response));
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  return socket;
}

test('closes the connection when a client does not read a response', async (t) => {
  const { promise, resolve } = Promise.withResolvers<ServerResponse>();
  await sendWithoutReading(t, (response) => {
    response.end(LARGE);
    createUnreadLimiter({ ...UNLIMITED, milliseconds: 50 })(response);
    resolve(response);
  });
  const response = await promise;
  await once(response, 'close');
  assert.equal(response.writableFinished, false);
});

test('gives a response time by its bytes when the client reads slowly', async (t) => {
  const { promise, resolve } = Promise.withResolvers<ServerResponse>();
  const socket = await sendWithoutReading(t, (response) => {
    response.end(LARGE);
    createUnreadLimiter({ ...UNLIMITED, milliseconds: 50, bytesPerSecond: 1024 * 1024 })(response);
    resolve(response);
  });
  const response = await promise;
  await sleep(500);
  assert.equal(response.destroyed, false);
  socket.resume();
  await once(response, 'finish');
});

test('starts anew when the client of a stream reads on', async (t) => {
  const { promise, resolve } = Promise.withResolvers<ServerResponse>();
  const socket = await sendWithoutReading(t, (response) => {
    response.write(LARGE);
    createUnreadLimiter({ ...UNLIMITED, milliseconds: 3_000 })(response);
    resolve(response);
  });
  const response = await promise;
  const drained = once(response, 'drain');
  socket.resume();
  await drained;
  await sleep(3_500);
  assert.equal(response.destroyed, false);
  response.end();
});

test('gives a pipelined response the time of those before it', async (t) => {
  const limit = createUnreadLimiter({ ...UNLIMITED, milliseconds: 100 });
  const responses: ServerResponse[] = [];
  const socket = await sendWithoutReading(t, (response) => {
    if (responses.push(response) === 1) return;
    response.end('second');
    limit(response);
  });
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await eventually(async () => responses.length === 2);
  await sleep(500);
  assert.equal(socket.destroyed || responses[0]!.destroyed, false);
  responses[0]!.end('first');
  await once(responses[1]!, 'finish');
});

test('closes the connection that waits longest when the unread bytes are too many', async (t) => {
  const limit = createUnreadLimiter({ ...UNLIMITED, maxBytes: 1.5 * LARGE.length });
  const responses: ServerResponse[] = [];
  const closed: number[] = [];
  const respond = (response: ServerResponse): void => {
    const index = responses.push(response) - 1;
    response.once('close', () => closed.push(index));
    response.end(LARGE);
    limit(response);
  };
  await sendWithoutReading(t, respond);
  await eventually(async () => responses.length === 1);
  await sleep(100);
  assert.deepEqual(closed, []);
  await sendWithoutReading(t, respond);
  await eventually(async () => closed.length > 0);
  assert.deepEqual(closed, [0]);
  await sendWithoutReading(t, respond);
  await eventually(async () => closed.length > 1);
  assert.deepEqual(closed, [0, 1]);
});

test.for(['/v1/whole', '/api/whole', '/api/streamed'])(
  'closes the connection of the server when a client does not read %s',
  async (path, t) => {
    const closed = Promise.withResolvers<void>();
    const onRequest = async (_request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      reply.raw.once('close', closed.resolve);
    };
    const addRoutes = (prefix: string) => (scope: HttpApp) => {
      scope.get(`${prefix}/whole`, { onRequest }, async (_request, reply) => reply.send(LARGE as never));
      scope.get(`${prefix}/streamed`, { onRequest }, async (_request, reply) =>
        reply.send(Readable.from([LARGE, LARGE]) as never),
      );
    };
    const unreadLimits = { ...UNLIMITED, milliseconds: 200 };
    const app = await createScopedHttpApp({ unreadLimits }, { v1: addRoutes(''), addOtherRoutes: addRoutes('/api') });
    await app.listen({ host: '127.0.0.1', port: 0 });
    t.onTestFinished(() => app.close());
    const socket = connectToPort(t, (app.server.address() as AddressInfo).port);
    socket.pause();
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
    await closed.promise;
  },
);
