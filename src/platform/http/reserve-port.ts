import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/**
 * Reserves a port (0: any free one), so that no other program can bind it before the service listens. Rejects with
 * `EADDRINUSE` if another program listens there, even one that would share the port.
 */
export async function reservePort(host: string, requestedPort = 0) {
  // The address is published only after the release. An early connection is closed.
  const server = createServer((socket) => socket.destroy()).listen(requestedPort, host);
  await once(server, 'listening');
  let released: Promise<void> | undefined;
  return {
    port: (server.address() as AddressInfo).port,
    /** Releases the port for the next listener. Repeated calls are harmless. */
    release: (): Promise<void> => {
      released ??= new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      return released;
    },
  };
}
