import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface BarrierServer {
  url: string;
  /** Number of received requests. */
  readonly count: number;
  /** Forwards the waiting requests and all later ones. */
  open(): void;
  close(): Promise<void>;
}

/**
 * Starts a proxy in front of a fake that holds all requests until it is opened. It simulates a slow provider without a
 * clock.
 */
export async function startBarrierServer(target: string): Promise<BarrierServer> {
  const openedSignal = Promise.withResolvers<void>();
  let count = 0;
  const server = createServer((incoming, response) => {
    count += 1;
    void openedSignal.promise.then(async () => {
      const headers = Object.entries(incoming.headers).flatMap(([name, value]) =>
        typeof value === 'string' && name.startsWith('x-') ? [[name, value] as [string, string]] : [],
      );
      const answer = await fetch(`${target}${incoming.url}`, { headers });
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get count() {
      return count;
    },
    open: () => openedSignal.resolve(),
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
