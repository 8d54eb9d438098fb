import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface BarrierServer {
  url: string;
  /** Requests that have come so far. */
  readonly count: number;
  /** Lets the waiting requests through, and all further ones. */
  open(): void;
  close(): Promise<void>;
}

/**
 * Stands before a fake and lets nothing through until it is opened: a provider that takes its time, without a clock.
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
