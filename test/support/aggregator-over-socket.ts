import type { ConnectionKind } from '../../src/features/connections/contract.ts';
import { deriveSecret } from '../../src/embedded/shared/embedded-options.ts';
import { BROKERAGE_CLIENT_ID } from '../../src/embedded/brokerage/brokerage-context.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { type ConnectionsApp, CONNECTIONS_KEY, startConnectionsApp } from './connections-app.ts';

export interface AggregatorOverSocket extends Pick<FaultProxy, 'calls' | 'fault' | 'rewrite'> {
  /** A service that has keys of the aggregator, and no stand-in of its own. */
  app: ConnectionsApp;
  /** The service with the stand-in, and its pages. */
  embeddedAggregator: ConnectionsApp;
  close(): Promise<void>;
}

/** The keys of the stand-ins, as another service takes them for the aggregators'. */
export const embeddedKeys = (kind: ConnectionKind) => ({
  clientId: kind === 'bank' ? 'sandbox' : BROKERAGE_CLIENT_ID,
  secret: deriveSecret(CONNECTIONS_KEY, kind),
});

/** The stand-in of one service as the aggregator of another one, over a socket, with faults between the two. */
export async function startAggregatorOverSocket(kind: ConnectionKind): Promise<AggregatorOverSocket> {
  const embeddedAggregator = await startConnectionsApp();
  const faultProxy = await startFaultProxy(embeddedAggregator.url, `/_${kind}`);
  const app = await startConnectionsApp({
    existingDatabase: embeddedAggregator.name,
    [kind]: { ...embeddedKeys(kind), baseUrl: faultProxy.baseUrl },
  });
  const stopDelivery = embeddedAggregator.startDelivery(app.url);
  const closeBetween = faultProxy.close;
  return Object.assign(faultProxy, {
    app,
    embeddedAggregator,
    async close() {
      await stopDelivery();
      await app.close();
      closeBetween();
      await embeddedAggregator.close();
    },
  });
}
