import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { ServiceSql } from '../database/roles.ts';
import { LIVENESS_LOCK_QUERY, isWorkerDead, unlockJobs, workersWithJobs } from './queries.ts';
import { toConnectionOptions } from './worker-pool.ts';

/**
 * Holds an advisory lock with the worker's name while its session exists. A killed worker leaves its jobs locked, and
 * the library releases them only after four hours. A worker that finds a locked job without that lock releases the job.
 */
export function holdLivenessLock(url: string, worker: string): { stop(): Promise<void> } {
  const stopped = Promise.withResolvers<void>();
  let stopping = false;
  const holding = (async () => {
    while (!stopping) {
      await holdLockOnce(url, worker, stopped.promise).catch(() => {}); // Retry, because the connection broke.
      if (!stopping) await Promise.race([sleep(500), stopped.promise]);
    }
  })();
  return {
    stop() {
      stopping = true;
      stopped.resolve();
      return holding;
    },
  };
}

/** Holds the lock until `until` resolves or the connection breaks. */
async function holdLockOnce(url: string, worker: string, until: Promise<void>): Promise<void> {
  const client = new pg.Client(toConnectionOptions(url));
  try {
    const { promise: connectionLost, resolve } = Promise.withResolvers<void>();
    client.on('error', () => resolve()).once('end', () => resolve());
    await client.connect();
    await Promise.race([client.query(LIVENESS_LOCK_QUERY, [worker]), until]);
    await Promise.race([connectionLost, until]);
  } finally {
    await client.end().catch(() => {}); // The lock ends with the session.
  }
}

/** Releases the jobs of dead workers and returns the names of the workers. */
export async function releaseJobsOfDeadWorkers(sql: ServiceSql): Promise<string[]> {
  return sql.transaction(async (tx) => {
    const deadWorkers: string[] = [];
    for (const worker of await workersWithJobs(tx)) if (await isWorkerDead(tx, worker)) deadWorkers.push(worker);
    if (deadWorkers.length > 0) await unlockJobs(tx, deadWorkers);
    return deadWorkers;
  });
}
