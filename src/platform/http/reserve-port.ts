import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/**
 * Holds a port (0: a free one), so that no other program can take it between the choice and the service's own listen.
 * Rejects with `EADDRINUSE` where any other listens there, also one that would share the port.
 */
export async function reservePort(host: string, requestedPort = 0) {
  // The address is published only after the release; an early connection is closed.
  const server = createServer((socket) => socket.destroy()).listen(requestedPort, host);
  await once(server, 'listening');
  let released: Promise<void> | undefined;
  return {
    port: (server.address() as AddressInfo).port,
    /** Lets it go, for the one who listens there next; more than once does no harm. */
    release: (): Promise<void> => (released ??= new Promise<void>((resolve) => void server.close(() => resolve()))),
  };
}
