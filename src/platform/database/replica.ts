import type { PoolClient } from 'pg';
import { Failure } from '../../errors.ts';
import { send } from './run-as.ts';

/** Lends a connection for as long as the work takes. */
export type Lend = <T>(work: (client: PoolClient) => Promise<T>) => Promise<T>;

export type ReplicaState = { reading: true } | { reading: false; reason: string };

interface ReplicaOptions {
  /** Connections to the replica, and to the primary for its position. */
  replica: Lend;
  primary: Lend;
  /** Milliseconds that reads may be behind the primary. */
  maxLag: number;
  /** Told of each change between reading from the replica and not, with the reason. */
  onChange: (state: ReplicaState) => void;
}

export interface Replica {
  /** Runs a read on the replica, or with `otherwise` while it is away or behind, and once more where it fails there. */
  read(otherwise: Lend): Lend;
  /** Milliseconds by which the replica is behind, as far as is known: infinite before the first look at it. */
  lag(): number;
  /** Reads so far, by where they were answered. */
  readonly reads: { readonly replica: number; readonly primary: number };
}

/** Milliseconds between two looks at the replica while reads come. */
const LOOK_MS = 1_000;

/** A position of the primary's log, and when it was there. */
interface Mark {
  at: number;
  position: bigint;
}

/**
 * Reads from a streaming standby. Its lag is measured against the primary's own position, noted once a second: the
 * standby's clock of its last transaction says nothing while the primary is idle or the stream is cut. Looks are made
 * while reads come, so that a process at rest asks nobody; the first reads after a rest go to the primary.
 */
export function openReplica({ replica, primary, maxLag, onChange }: ReplicaOptions): Replica {
  let marks: Mark[] = [];
  let [reachedAt, retryAt, lookAt] = [-Infinity, 0, 0];
  let reading = false;
  let looking: Promise<void> | undefined;
  const reads = { replica: 0, primary: 0 };
  const lag = (): number => performance.now() - reachedAt;
  const change = (next: boolean, reason: string): void => {
    if (next === reading) return;
    reading = next;
    onChange(next ? { reading: true } : { reading: false, reason });
  };
  const leave = (error: unknown): void => {
    retryAt = performance.now() + LOOK_MS;
    change(false, error instanceof Error ? error.message : String(error));
  };

  const look = async (): Promise<void> => {
    const at = performance.now();
    try {
      marks.push({ at, position: await positionOf(primary, 'pg_current_wal_lsn()') });
      const replayed = await positionOf(replica, 'pg_last_wal_replay_lsn()');
      const reached = marks.findLast(({ position }) => position <= replayed);
      if (reached) {
        reachedAt = reached.at;
        marks = marks.filter((mark) => mark.at > reached.at);
      }
      // What is older than the bound is of no use, reached or not.
      marks = marks.slice(-Math.ceil(maxLag / LOOK_MS) - 1);
      retryAt = 0;
      change(lag() <= maxLag, 'it is behind');
    } catch (error) {
      leave(error);
    }
  };
  const isCurrent = (): boolean => {
    const now = performance.now();
    if (!looking && now >= lookAt) {
      lookAt = now + LOOK_MS;
      looking = look().finally(() => (looking = undefined));
    }
    return reading && now >= retryAt && lag() <= maxLag;
  };

  return {
    lag,
    reads,
    read: (otherwise) => async (work) => {
      if (isCurrent()) {
        try {
          const answer = await replica(work);
          reads.replica += 1;
          return answer;
        } catch (error) {
          // A statement that the standby cancelled, or cannot run yet, is answered by the primary.
          if (error instanceof Failure || isBroken(error)) leave(error);
        }
      }
      reads.primary += 1;
      return otherwise(work);
    },
  };
}

async function positionOf(lend: Lend, position: string): Promise<bigint> {
  const { rows } = await lend((client) => send(client, `select ${position}::text as position`));
  const [high, low] = (rows[0] as { position: string | null }).position?.split('/') ?? [];
  if (low === undefined) throw new Error('it is no standby');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/** Whether the connection, not the statement, has failed: everything but a statement's own error. */
const isBroken = (error: unknown): boolean => !/^(?!08|57P)\w{5}$/.test((error as { code?: string }).code ?? '');
