import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceSql } from '../../../platform/database/roles.ts';
import { acquireLease, readLease, settleLease } from './lease-queries.ts';
import type { SharedCall, SingleFlight } from './single-flight.ts';

/** The leader makes the call, a follower has its result; `none`: there is no coordination, so each calls by itself. */
type Lease<T> = { role: 'leader' } | { role: 'follower'; result: T } | { role: 'none' };

const LEASE_TTL_MS = 10_000;
const POLL_INTERVAL_MS = 100;

/**
 * Has one process call for all: it leases the call in the database, the others wait for the result. Where the leader
 * keeps nothing, is gone, or the database refuses, each calls by itself. Results are JSON.
 */
export function createDistributedSingleFlight(sql: ServiceSql, warn: (error: unknown) => void): SingleFlight {
  return async (shared) => {
    const lease = await acquire(shared);
    switch (lease.role) {
      case 'leader':
        return runAsLeader(shared);
      case 'follower':
        return lease.result;
      case 'none':
        return shared.call();
    }
  };

  async function acquire<T>(shared: SharedCall<T>): Promise<Lease<T>> {
    try {
      const followed = await followLeader(shared);
      if (followed) return followed;
      if (await acquireLease(sql, shared.key, shared.leaseTtlMs ?? LEASE_TTL_MS)) return { role: 'leader' };
      // Another process was quicker in this moment.
      return (await followLeader(shared)) ?? { role: 'none' };
    } catch (error) {
      warn(error);
      return { role: 'none' };
    }
  }

  /** Waits for the result that is kept or that a leader gets; `undefined` where there is no leader. */
  async function followLeader<T>({
    key,
    readStored,
    leaseTtlMs = LEASE_TTL_MS,
  }: SharedCall<T>): Promise<Lease<T> | undefined> {
    const deadline = performance.now() + leaseTtlMs;
    while (performance.now() < deadline) {
      const lease = await readLease<T>(sql, key);
      if (lease === undefined) {
        const result = await readStored?.();
        return result === undefined ? undefined : { role: 'follower', result };
      }
      if (lease.result !== null) return { role: 'follower', result: lease.result };
      await sleep(POLL_INTERVAL_MS);
    }
    return undefined;
  }

  async function runAsLeader<T>({ key, call, ttlMs = () => 0 }: SharedCall<T>): Promise<T> {
    try {
      const result = await call();
      const resultTtlMs = ttlMs(result);
      await settle(key, resultTtlMs > 0 ? result : null, resultTtlMs);
      return result;
    } catch (error) {
      await settle(key, null, 0);
      throw error;
    }
  }

  /** A lease that cannot be settled runs out by itself. */
  async function settle(key: string, result: unknown, resultTtlMs: number): Promise<void> {
    await settleLease(sql, key, result, resultTtlMs).catch(warn);
  }
}
