import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { ServiceSql } from '../database/roles.ts';
import { HOLD_ALIVE, isGone, unlockJobsOf, workersWithJobs } from './queries.ts';
import { connectionTo } from './worker-pool.ts';

/**
 * A worker that is killed leaves its jobs locked, and the library frees them only after four hours. So each worker
 * holds an advisory lock named after it for as long as its session lives, and any worker that finds a job locked
 * without that lock frees it.
 */
export function holdAlive(url: string, worker: string): { stop(): Promise<void> } {
  const stopped = Promise.withResolvers<void>();
  let stopping = false;
  const held = (async () => {
    while (!stopping) {
      await holdOnce(url, worker, stopped.promise).catch(() => {}); // the connection broke: again
      if (!stopping) await Promise.race([sleep(500), stopped.promise]);
    }
  })();
  return {
    stop() {
      stopping = true;
      stopped.resolve();
      return held;
    },
  };
}

/** Holds the lock until `until` or until its connection breaks. */
async function holdOnce(url: string, worker: string, until: Promise<void>): Promise<void> {
  const client = new pg.Client(connectionTo(url));
  try {
    const broken = new Promise<void>(
      (resolve) => void client.on('error', () => resolve()).once('end', () => resolve()),
    );
    await client.connect();
    await Promise.race([client.query(HOLD_ALIVE, [worker]), until]);
    await Promise.race([broken, until]);
  } finally {
    await client.end().catch(() => {}); // the session ends and the lock with it
  }
}

/** Frees the jobs of workers that are gone; returns their names. */
export async function freeJobsOfDeadWorkers(sql: ServiceSql): Promise<string[]> {
  return sql.transaction(async (own) => {
    const dead: string[] = [];
    for (const worker of await workersWithJobs(own)) if (await isGone(own, worker)) dead.push(worker);
    if (dead.length > 0) await unlockJobsOf(own, dead);
    return dead;
  });
}
