import type { ConnectionKind } from '../../src/features/connections/contract.ts';
import { deriveSecret } from '../../src/embedded/shared/embedded-options.ts';
import { BROKERAGE_CLIENT_ID } from '../../src/embedded/brokerage/brokerage-context.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { type ConnectionsApp, CONNECTIONS_KEY, startConnectionsApp } from './connections-app.ts';

export interface AggregatorOverSocket extends Pick<FaultProxy, 'calls' | 'fault' | 'rewrite'> {
  /** A service with keys of the aggregator and without an embedded one. */
  app: ConnectionsApp;
  /** The service with the embedded aggregator and its pages. */
  embeddedAggregator: ConnectionsApp;
  close(): Promise<void>;
}

/** The keys of the embedded aggregators, in the form in which another service reads the aggregators' keys. */
export const embeddedKeys = (kind: ConnectionKind) => ({
  clientId: kind === 'bank' ? 'sandbox' : BROKERAGE_CLIENT_ID,
  secret: deriveSecret(CONNECTIONS_KEY, kind),
});

/**
 * Starts one service's embedded aggregator as the aggregator of another service, over a socket with faults between the
 * two.
 */
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
