import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createKeyRing } from '../../src/connections/key-ring.ts';
import { type ConnectionsApp, CONNECTIONS_KEY, startConnectionsApp } from './connections-app.ts';

/** What happens to a call in the place of its answer; `undefined` lets it through. */
type Fault = (path: string, response: ServerResponse, body: string) => void | Promise<void>;

export interface BankOverSocket {
  /** A service that has keys of the bank aggregator, and no stand-in of its own. */
  app: ConnectionsApp;
  /** The service with the stand-in, and its pages. */
  bank: ConnectionsApp;
  /** Calls that reached the aggregator: `/item/remove`. */
  calls: string[];
  /** Each meets this from now on, until it is `undefined`. */
  fault: Fault | undefined;
  /** Rewrites the good answers of a path. */
  rewrite: ((path: string, answer: Record<string, never>) => unknown) | undefined;
  close(): Promise<void>;
}

/** What the service knows the aggregator's door by; each must stand nowhere else. */
export const PLAID_SECRET = createKeyRing(CONNECTIONS_KEY).derive('sandbox bank').toString('hex');

/** The stand-in of one service as the aggregator of another one, over a socket, with faults between the two. */
export async function startBankOverSocket(): Promise<BankOverSocket> {
  const bank = await startConnectionsApp();
  const between: Pick<BankOverSocket, 'calls' | 'fault' | 'rewrite'> = {
    calls: [],
    fault: undefined,
    rewrite: undefined,
  };
  const server = createServer((request, response) => {
    void (async () => {
      const path = request.url!.replace('/_bank', '');
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) body += chunk as string;
      between.calls.push(path);
      if (between.fault) return between.fault(path, response, body);
      const headers = new Headers();
      for (const [name, value] of Object.entries(request.headers))
        if (typeof value === 'string' && !/^(host|connection|content-length|accept-encoding)$/.test(name))
          headers.set(name, value);
      const answer = await fetch(`${bank.url}${request.url}`, { method: 'POST', headers, body });
      const text = await answer.text();
      const told =
        answer.ok && between.rewrite ? between.rewrite(path, JSON.parse(text) as Record<string, never>) : undefined;
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(told === undefined ? text : JSON.stringify(told));
    })();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/_bank`;
  const settings = { clientId: 'sandbox', secret: PLAID_SECRET, baseUrl };
  const app = await startConnectionsApp({ beside: bank.name, bank: settings });
  const stopDelivery = bank.connections.startBackground!(app.url) as () => Promise<void>;
  return Object.assign(between, {
    app,
    bank,
    async close() {
      await stopDelivery();
      await app.close();
      server.closeAllConnections();
      server.close();
      await bank.close();
    },
  });
}
