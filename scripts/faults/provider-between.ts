import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startFmpFake } from '../../test/fakes/fmp/fmp-fake.ts';

type Behaviour = 'sound' | 'slow' | 'malformed' | 'absent';

export interface ProviderBetween {
  port: number;
  /** How it answers from now on: `slow` after 8 s, `malformed` with 200 and nonsense, `absent` not at all. */
  behave(behaviour: Behaviour): Promise<void>;
  close(): Promise<void>;
}

const MALFORMED = [
  '<!doctype html><h1>Maintenance</h1>',
  '[{"symbol":"AAPL","price":',
  'null',
  '[{"symbol":17,"price":"high"}]',
];
const SLOW_MS = 8_000;

/** A provider of market data on a port of its own, between the service and the fake. */
export async function startProviderBetween(): Promise<ProviderBetween> {
  const fake = await startFmpFake();
  let behaviour: Behaviour = 'sound';
  let next = 0;
  const server: Server = createServer((request, response) => {
    // Each call asks for the name anew.
    response.shouldKeepAlive = false;
    void (async () => {
      if (behaviour === 'slow') await sleep(SLOW_MS);
      if (behaviour === 'malformed') {
        response.writeHead(200, { 'content-type': 'application/json' }).end(MALFORMED[next++ % MALFORMED.length]);
        return;
      }
      const answer = await fetch(`${fake.url}${request.url}`);
      const body = Buffer.from(await answer.arrayBuffer());
      const type = answer.headers.get('content-type') ?? 'application/json';
      response.writeHead(answer.status, { 'content-type': type }).end(body);
    })().catch(() => response.destroy());
  });
  const listen = (port: number) => new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async behave(next) {
      if (next === 'absent') await close();
      if (behaviour === 'absent') await listen(port);
      behaviour = next;
    },
    async close() {
      if (behaviour !== 'absent') await close();
      await fake.close();
    },
  };
}
