import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** An event as the receiver received it. */
export interface ReceivedEvent {
  uuid: string;
  event: string;
  distinct_id: string;
  properties: Record<string, unknown>;
  timestamp: string;
}

interface AnalyticsReceiver {
  host: string;
  /** Accepted events by `uuid`. An event may be received more than once. */
  receivedEvents: Map<string, ReceivedEvent>;
  calls: number;
  close(): void;
}

/**
 * Starts a service in the form of PostHog's `POST /batch/`, without flags. Returns 503 for every `failureInterval`-th
 * call, and 400 for a whole batch with a `poisoned` event.
 */
export async function startAnalyticsReceiver({
  failureInterval = Infinity,
  poisoned = () => false,
}: { failureInterval?: number; poisoned?: (event: ReceivedEvent) => boolean } = {}): Promise<AnalyticsReceiver> {
  const server = createServer(async (request, response) => {
    const { batch } = (await json(request)) as { batch?: ReceivedEvent[] };
    if (!batch) {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"flags":{}}');
      return;
    }
    receiver.calls += 1;
    let status = batch.some(poisoned) ? 400 : 200;
    if (receiver.calls % failureInterval === 0) status = 503;
    if (status === 200) for (const event of batch) receiver.receivedEvents.set(event.uuid, event);
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"status":1}');
  });
  const receiver: AnalyticsReceiver = {
    host: '',
    receivedEvents: new Map(),
    calls: 0,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  receiver.host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return receiver;
}
