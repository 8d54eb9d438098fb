import type { MetricSnapshot } from './read-metrics.ts';
import { withTimeout } from './with-timeout.ts';

/** One end of the channel between the first process and one that it started (`ChildProcess`, `process`). */
interface ProcessChannel {
  send?(message: object, sent: (error: Error | null) => void): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  once(event: 'exit' | 'disconnect', listener: () => void): unknown;
}

/** The processes that serve one port together, as one of them sees them. */
export interface MetricsPeers {
  /** Says how this process reads its own figures, which the others ask for. */
  setMetricsReader(read: () => Promise<MetricSnapshot>): void;
  /** The figures of each process, this one's first; one that does not answer in four seconds is left out. */
  collectAll(): Promise<readonly MetricSnapshot[]>;
  /** Makes a process that this one started one of them, until it ends; only the first process has such. */
  add(child: ProcessChannel): void;
}

/** `own`: what a process tells of itself; `all`: what the first process has gathered from each. */
type MetricsMessage = { ask: 'own' | 'all'; id: number } | { told: readonly MetricSnapshot[]; id: number };

/** Prometheus waits for ten seconds. */
const RESPONSE_TIMEOUT_MS = 4_000;

/**
 * `first` is the channel to the process that started this one, for one of several; without it this is the first, which
 * alone knows all of them.
 */
export function createMetricsPeers(parent?: ProcessChannel, timeoutMs = RESPONSE_TIMEOUT_MS): MetricsPeers {
  const children = new Set<ProcessChannel>();
  const pending = new Map<number, (snapshots: readonly MetricSnapshot[]) => void>();
  let requestCount = 0;
  let readLocal: () => Promise<MetricSnapshot> = async () => [];

  const requestSnapshots = async (
    channel: ProcessChannel,
    scope: 'own' | 'all',
    milliseconds: number,
  ): Promise<readonly MetricSnapshot[]> => {
    const id = (requestCount += 1);
    const { promise, resolve } = Promise.withResolvers<readonly MetricSnapshot[]>();
    pending.set(id, resolve);
    try {
      sendMessage(channel, { ask: scope, id });
      return await withTimeout(milliseconds, promise, () => []);
    } finally {
      pending.delete(id);
    }
  };
  const collectAll = async (): Promise<readonly MetricSnapshot[]> => {
    if (parent) {
      // Twice as long, since the first process waits for the others in its turn.
      const all = await requestSnapshots(parent, 'all', 2 * timeoutMs);
      return all.length > 0 ? all : [await readLocal()];
    }
    const localSnapshot = readLocal();
    const childSnapshots = await Promise.all([...children].map((child) => requestSnapshots(child, 'own', timeoutMs)));
    return [await localSnapshot, ...childSnapshots.flat()];
  };
  const listenTo = (peer: ProcessChannel): void =>
    void peer.on('message', (message) => {
      if (!isMessage(message)) return;
      if ('told' in message) return pending.get(message.id)?.(message.told);
      const snapshots = message.ask === 'all' ? collectAll() : readLocal().then((localSnapshot) => [localSnapshot]);
      void snapshots.then(
        (figures) => sendMessage(peer, { told: figures, id: message.id }),
        () => {}, // the one that asked leaves this process out
      );
    });

  if (parent) listenTo(parent);
  return {
    setMetricsReader: (read) => void (readLocal = read),
    collectAll,
    add(child) {
      children.add(child);
      listenTo(child);
      for (const event of ['exit', 'disconnect'] as const) child.once(event, () => children.delete(child));
    },
  };
}

/** Where the other end has gone, the question runs into its timeout; without a callback it would be an error here. */
const sendMessage = (channel: ProcessChannel, message: MetricsMessage): void => void channel.send?.(message, () => {});

const isMessage = (message: unknown): message is MetricsMessage =>
  typeof message === 'object' && message !== null && 'id' in message && ('ask' in message || 'told' in message);
