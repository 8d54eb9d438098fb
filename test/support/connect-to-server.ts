import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { TestContext } from 'vitest';

/** Opens a connection to a port of this machine, and ends it with the test. Its errors are ignored. */
export function connectToPort(t: TestContext, port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  t.onTestFinished(() => {
    socket.destroy();
  });
  return socket.on('error', () => {});
}

/** Starts an HTTP server, and opens a connection to it. Both end with the test. */
export async function connectToServer(t: TestContext, respond: RequestListener): Promise<Socket> {
  const server = createServer(respond).listen(0, '127.0.0.1');
  t.onTestFinished(() => {
    server.close();
  });
  await once(server, 'listening');
  return connectToPort(t, (server.address() as AddressInfo).port);
}
