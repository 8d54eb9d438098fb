import type { ConnectionKind } from '../../src/features/connections/contract.ts';
import { secretOf } from '../../src/embedded/shared/embedded-options.ts';
import { BROKERAGE_CLIENT_ID } from '../../src/embedded/brokerage/brokerage-context.ts';
import { type Between, startBetween } from './aggregator-between.ts';
import { type ConnectionsApp, CONNECTIONS_KEY, startConnectionsApp } from './connections-app.ts';

export interface AggregatorOverSocket extends Pick<Between, 'calls' | 'fault' | 'rewrite'> {
  /** A service that has keys of the aggregator, and no stand-in of its own. */
  app: ConnectionsApp;
  /** The service with the stand-in, and its pages. */
  standIn: ConnectionsApp;
  close(): Promise<void>;
}

/** The keys of the stand-ins, as another service takes them for the aggregators'. */
export const standInKeys = (kind: ConnectionKind) => ({
  clientId: kind === 'bank' ? 'sandbox' : BROKERAGE_CLIENT_ID,
  secret: secretOf(CONNECTIONS_KEY, kind),
});

/** The stand-in of one service as the aggregator of another one, over a socket, with faults between the two. */
export async function startAggregatorOverSocket(kind: ConnectionKind): Promise<AggregatorOverSocket> {
  const standIn = await startConnectionsApp();
  const between = await startBetween(standIn.url, `/_${kind}`);
  const app = await startConnectionsApp({
    beside: standIn.name,
    [kind]: { ...standInKeys(kind), baseUrl: between.baseUrl },
  });
  const stopDelivery = standIn.startDelivery(app.url);
  const closeBetween = between.close;
  return Object.assign(between, {
    ...{ app, standIn },
    async close() {
      await stopDelivery();
      await app.close();
      closeBetween();
      await standIn.close();
    },
  });
}
