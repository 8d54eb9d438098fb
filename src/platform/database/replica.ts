import type { PoolClient } from 'pg';
import { AppError } from '../../errors.ts';
import { send } from './run-as.ts';

/** Acquires a connection, runs the work on it and releases it. */
export type WithClient = <T>(work: (client: PoolClient) => Promise<T>) => Promise<T>;

export type ReplicaState = { reading: true } | { reading: false; reason: string };

interface ReplicaOptions {
  /** Connections to the replica, and to the primary for its position. */
  replica: WithClient;
  primary: WithClient;
  /** Maximum lag of reads behind the primary in ms. */
  maxLagMs: number;
  /** Called with the reason when reads move to the replica or back. */
  onChange: (state: ReplicaState) => void;
}

export interface Replica {
  /**
   * Runs a read on the replica. Uses `fallback` if the replica is unavailable or behind, and once more if the read
   * fails there.
   */
  read(fallback: WithClient): WithClient;
  /** Returns the known lag of the replica in ms, or infinity before the first probe. */
  getLagMs(): number;
  /** Number of reads by the server that responded. */
  readonly reads: { readonly replica: number; readonly primary: number };
}

/** Interval in ms between probes of the replica while reads arrive. */
const PROBE_INTERVAL_MS = 1_000;

/** A position of the primary's log with its time. */
interface LagSample {
  at: number;
  position: bigint;
}

/**
 * Reads from a streaming standby. Lag is measured by WAL positions, sampled once a second. The replay timestamp is
 * useless while the primary is idle. Probes run only while reads arrive, so an idle process sends none. The first reads
 * after idle time use the primary.
 */
export function openReplica({ replica, primary, maxLagMs, onChange }: ReplicaOptions): Replica {
  let samples: LagSample[] = [];
  let reachedAt = -Infinity;
  let retryAt = 0;
  let nextProbeAt = 0;
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
      // Samples older than the lag limit are useless.
      samples = samples.slice(-Math.ceil(maxLagMs / PROBE_INTERVAL_MS) - 1);
      retryAt = 0;
      setReading(getLagMs() <= maxLagMs, 'lag above the limit');
    } catch (error) {
      stopReading(error);
    }
  };
  const isCurrent = (): boolean => {
    const now = performance.now();
    if (!probing && now >= nextProbeAt) {
      nextProbeAt = now + PROBE_INTERVAL_MS;
      probing = probeLag().finally(() => {
        probing = undefined;
      });
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
          // If the standby canceled a statement or cannot run it yet, the primary runs it.
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
  if (low === undefined) throw new Error('not a standby');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/** Returns whether the connection failed and not the statement. */
const isConnectionError = (error: unknown): boolean =>
  !/^(?!08|57P)\w{5}$/.test((error as { code?: string }).code ?? '');
