import type { PoolClient } from 'pg';
import { AppError } from '../../errors.ts';
import { send } from './run-as.ts';

/** Lends a connection for as long as the work takes. */
export type WithClient = <T>(work: (client: PoolClient) => Promise<T>) => Promise<T>;

export type ReplicaState = { reading: true } | { reading: false; reason: string };

interface ReplicaOptions {
  /** Connections to the replica, and to the primary for its position. */
  replica: WithClient;
  primary: WithClient;
  /** Milliseconds that reads may be behind the primary. */
  maxLagMs: number;
  /** Told of each change between reading from the replica and not, with the reason. */
  onChange: (state: ReplicaState) => void;
}

export interface Replica {
  /** Runs a read on the replica, or with `otherwise` while it is away or behind, and once more where it fails there. */
  read(fallback: WithClient): WithClient;
  /** Milliseconds by which the replica is behind, as far as is known: infinite before the first look at it. */
  getLagMs(): number;
  /** Reads so far, by where they were answered. */
  readonly reads: { readonly replica: number; readonly primary: number };
}

/** Milliseconds between two looks at the replica while reads come. */
const PROBE_INTERVAL_MS = 1_000;

/** A position of the primary's log, and when it was there. */
interface LagSample {
  at: number;
  position: bigint;
}

/**
 * Reads from a streaming standby. Its lag is measured against the primary's own position, noted once a second: the
 * standby's clock of its last transaction says nothing while the primary is idle or the stream is cut. Looks are made
 * while reads come, so that a process at rest asks nobody; the first reads after a rest go to the primary.
 */
export function openReplica({ replica, primary, maxLagMs, onChange }: ReplicaOptions): Replica {
  let samples: LagSample[] = [];
  let [reachedAt, retryAt, nextProbeAt] = [-Infinity, 0, 0];
  let reading = false;
  let probing: Promise<void> | undefined;
  const reads = { replica: 0, primary: 0 };
  const getLagMs = (): number => performance.now() - reachedAt;
  const setReading = (next: boolean, reason: string): void => {
    if (next === reading) return;
    reading = next;
    onChange(next ? { reading: true } : { reading: false, reason });
  };
  const stopReading = (error: unknown): void => {
    retryAt = performance.now() + PROBE_INTERVAL_MS;
    setReading(false, error instanceof Error ? error.message : String(error));
  };

  const probeLag = async (): Promise<void> => {
    const at = performance.now();
    try {
      samples.push({ at, position: await readLogPosition(primary, 'pg_current_wal_lsn()') });
      const replayed = await readLogPosition(replica, 'pg_last_wal_replay_lsn()');
      const reached = samples.findLast(({ position }) => position <= replayed);
      if (reached) {
        reachedAt = reached.at;
        samples = samples.filter((sample) => sample.at > reached.at);
      }
      // What is older than the bound is of no use, reached or not.
      samples = samples.slice(-Math.ceil(maxLagMs / PROBE_INTERVAL_MS) - 1);
      retryAt = 0;
      setReading(getLagMs() <= maxLagMs, 'it is behind');
    } catch (error) {
      stopReading(error);
    }
  };
  const isCurrent = (): boolean => {
    const now = performance.now();
    if (!probing && now >= nextProbeAt) {
      nextProbeAt = now + PROBE_INTERVAL_MS;
      probing = probeLag().finally(() => (probing = undefined));
    }
    return reading && now >= retryAt && getLagMs() <= maxLagMs;
  };

  return {
    getLagMs,
    reads,
    read: (fallback) => async (work) => {
      if (isCurrent()) {
        try {
          const result = await replica(work);
          reads.replica += 1;
          return result;
        } catch (error) {
          // A statement that the standby cancelled, or cannot run yet, is answered by the primary.
          if (error instanceof AppError || isConnectionError(error)) stopReading(error);
        }
      }
      reads.primary += 1;
      return fallback(work);
    },
  };
}

async function readLogPosition(withClient: WithClient, position: string): Promise<bigint> {
  const { rows } = await withClient((client) => send(client, `select ${position}::text as position`));
  const [high, low] = (rows[0] as { position: string | null }).position?.split('/') ?? [];
  if (low === undefined) throw new Error('it is no standby');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/** Whether the connection, not the statement, has failed: everything but a statement's own error. */
const isConnectionError = (error: unknown): boolean =>
  !/^(?!08|57P)\w{5}$/.test((error as { code?: string }).code ?? '');
