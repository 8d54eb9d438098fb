import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ConnectionKind } from '../../src/connections/contract.ts';
import { createKeyRing } from '../../src/connections/key-ring.ts';
import { type ConnectionsApp, CONNECTIONS_KEY, startConnectionsApp } from './connections-app.ts';

/**
 * What happens to a call in the place of its answer; `forward` lets the aggregator do it all the same. `undefined` lets
 * everything through.
 */
type Fault = (path: string, response: ServerResponse, forward: () => Promise<Response>) => void | Promise<void>;

export interface AggregatorOverSocket {
  /** A service that has keys of the aggregator, and no stand-in of its own. */
  app: ConnectionsApp;
  /** The service with the stand-in, and its pages. */
  standIn: ConnectionsApp;
  /** Paths of the calls that reached the aggregator: `/item/remove`. */
  calls: string[];
  /** Each meets this from now on, until it is `undefined`. */
  fault: Fault | undefined;
  /** Rewrites the good answers of a path. */
  rewrite: ((path: string, answer: Record<string, never>) => unknown) | undefined;
  close(): Promise<void>;
}

/** What the service knows each aggregator's door by; it must stand nowhere else. */
export const AGGREGATOR_SECRETS: Readonly<Record<ConnectionKind, string>> = {
  bank: createKeyRing(CONNECTIONS_KEY).derive('sandbox bank').toString('hex'),
  brokerage: createKeyRing(CONNECTIONS_KEY).derive('sandbox brokerage').toString('hex'),
};

const CLIENT_IDS: Readonly<Record<ConnectionKind, string>> = { bank: 'sandbox', brokerage: 'SANDBOX' };

/** The stand-in of one service as the aggregator of another one, over a socket, with faults between the two. */
export async function startAggregatorOverSocket(kind: ConnectionKind): Promise<AggregatorOverSocket> {
  const standIn = await startConnectionsApp();
  const between: Pick<AggregatorOverSocket, 'calls' | 'fault' | 'rewrite'> = {
    calls: [],
    fault: undefined,
    rewrite: undefined,
  };
  const server = createServer((request, response) => {
    void (async () => {
      const path = request.url!.replace(/\?.*/, '').replace(`/_${kind}`, '');
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) body += chunk as string;
      between.calls.push(path);
      const headers = new Headers();
      for (const [name, value] of Object.entries(request.headers))
        if (typeof value === 'string' && !/^(host|connection|content-length|accept-encoding)$/.test(name))
          headers.set(name, value);
      const forward = (): Promise<Response> =>
        fetch(`${standIn.url}${request.url}`, { method: request.method!, headers, ...(body && { body }) });
      if (between.fault) return between.fault(path, response, forward);
      const answer = await forward();
      const text = await answer.text();
      const told =
        answer.ok && between.rewrite ? between.rewrite(path, JSON.parse(text) as Record<string, never>) : undefined;
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(told === undefined ? text : JSON.stringify(told));
    })();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/_${kind}`;
  const settings = { clientId: CLIENT_IDS[kind], secret: AGGREGATOR_SECRETS[kind], baseUrl };
  const app = await startConnectionsApp({ beside: standIn.name, [kind]: settings });
  const stopDelivery = standIn.connections.startBackground!(app.url) as () => Promise<void>;
  return Object.assign(between, {
    ...{ app, standIn },
    async close() {
      await stopDelivery();
      await app.close();
      server.closeAllConnections();
      server.close();
      await standIn.close();
    },
  });
}
