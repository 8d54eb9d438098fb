import type { MetricSnapshot } from './read-metrics.ts';
import { withTimeout } from './with-timeout.ts';

/** One end of the channel between the first process and a child (`ChildProcess`, `process`). */
interface ProcessChannel {
  send?(message: object, sent: (error: Error | null) => void): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  once(event: 'exit' | 'disconnect', listener: () => void): unknown;
}

/** The processes that serve one port, from the view of one of them. */
export interface MetricsPeers {
  /** Sets the function that reads the metrics of this process for the others. */
  setMetricsReader(read: () => Promise<MetricSnapshot>): void;
  /**
   * Returns the metrics of each process, this one first. A process that does not respond within four seconds is
   * omitted.
   */
  collectAll(): Promise<readonly MetricSnapshot[]>;
  /** Adds a child process until it exits. Only the first process has children. */
  add(child: ProcessChannel): void;
}

/** A request for metrics of one process or of all, or the response. */
type MetricsMessage = { request: 'self' | 'all'; id: number } | { response: readonly MetricSnapshot[]; id: number };

/** Timeout of a request in ms. Prometheus waits for ten seconds. */
const RESPONSE_TIMEOUT_MS = 4_000;

/**
 * Creates the peers of this process. `parent` is the channel to the process that started this one. Without it this is
 * the first process, which has channels to all others.
 */
export function createMetricsPeers(parent?: ProcessChannel, timeoutMs = RESPONSE_TIMEOUT_MS): MetricsPeers {
  const children = new Set<ProcessChannel>();
  const pending = new Map<number, (snapshots: readonly MetricSnapshot[]) => void>();
  let requestCount = 0;
  let readLocal: () => Promise<MetricSnapshot> = async () => [];

  const requestSnapshots = async (
    channel: ProcessChannel,
    scope: 'self' | 'all',
    milliseconds: number,
  ): Promise<readonly MetricSnapshot[]> => {
    requestCount += 1;
    const id = requestCount;
    const { promise, resolve } = Promise.withResolvers<readonly MetricSnapshot[]>();
    pending.set(id, resolve);
    try {
      sendMessage(channel, { request: scope, id });
      return await withTimeout(milliseconds, promise, () => []);
    } finally {
      pending.delete(id);
    }
  };
  const collectAll = async (): Promise<readonly MetricSnapshot[]> => {
    if (parent) {
      // Twice the timeout, since the first process waits for the others too.
      const all = await requestSnapshots(parent, 'all', 2 * timeoutMs);
      return all.length > 0 ? all : [await readLocal()];
    }
    const localSnapshot = readLocal();
    const childSnapshots = await Promise.all([...children].map((child) => requestSnapshots(child, 'self', timeoutMs)));
    return [await localSnapshot, ...childSnapshots.flat()];
  };
  const listenTo = (peer: ProcessChannel): void => {
    peer.on('message', (message) => {
      if (!isMessage(message)) return;
      if ('response' in message) return pending.get(message.id)?.(message.response);
      const snapshots = message.request === 'all' ? collectAll() : readLocal().then((localSnapshot) => [localSnapshot]);
      void snapshots.then(
        (figures) => sendMessage(peer, { response: figures, id: message.id }),
        () => {}, // the requesting process omits this one
      );
    });
  };

  if (parent) listenTo(parent);
  return {
    setMetricsReader: (read) => {
      readLocal = read;
    },
    collectAll,
    add(child) {
      children.add(child);
      listenTo(child);
      for (const event of ['exit', 'disconnect'] as const) child.once(event, () => children.delete(child));
    },
  };
}

/**
 * Sends a message. If the other end has exited, the request times out. Without a callback `send` would emit an error
 * here.
 */
const sendMessage = (channel: ProcessChannel, message: MetricsMessage): void => {
  channel.send?.(message, () => {});
};

const isMessage = (message: unknown): message is MetricsMessage =>
  typeof message === 'object' && message !== null && 'id' in message && ('request' in message || 'response' in message);
