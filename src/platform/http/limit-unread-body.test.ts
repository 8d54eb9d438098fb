import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { test, type TestContext } from 'vitest';
import { connectToServer } from '../../../test/support/connect-to-server.ts';
import { limitUnreadBody } from './limit-unread-body.ts';

/** Opens a connection to a server that responds 401 immediately, and starts a request with an endless body. */
async function beginRequest(t: TestContext, limits: { bytes: number; milliseconds: number }): Promise<Socket> {
  const socket = await connectToServer(t, (request, response) => {
    limitUnreadBody(request, limits);
    response.writeHead(401).end('no');
  });
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n');
  const [responseHead] = (await once(socket, 'data')) as [Buffer];
  assert.match(String(responseHead), /^HTTP\/1\.1 401 /);
  return socket;
}

test('closes the connection when the rest of an answered body takes too long', async (t) => {
  const socket = await beginRequest(t, { bytes: 1_000_000, milliseconds: 50 });
  await once(socket, 'close');
});

test('closes the connection when the rest of an answered body is too long', async (t) => {
  const socket = await beginRequest(t, { bytes: 1_000, milliseconds: 600_000 });
  const closed = once(socket, 'close');
  socket.write(`800\r\n${'x'.repeat(2_048)}\r\n`);
  await closed;
});

test('keeps the connection for the next request when the rest of the body is short', async (t) => {
  const socket = await beginRequest(t, { bytes: 1_000, milliseconds: 600_000 });
  socket.write(`3e8\r\n${'x'.repeat(1_000)}\r\n0\r\n\r\n`);
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n');
  const [responseHead] = (await once(socket, 'data')) as [Buffer];
  assert.match(String(responseHead), /^HTTP\/1\.1 401 /);
});
