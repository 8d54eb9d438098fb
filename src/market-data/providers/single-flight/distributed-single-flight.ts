import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceSql } from '../../../platform/database/roles.ts';
import { acquireLease, readLease, settleLease } from './lease-queries.ts';
import type { SharedCall, SingleFlight } from './single-flight.ts';

/**
 * Role of a process. The leader makes the call and a follower receives its result. `none` means no coordination: each
 * process calls the provider.
 */
type Lease<T> = { role: 'leader' } | { role: 'follower'; result: T } | { role: 'none' };

const LEASE_TTL_MS = 10_000;
const POLL_INTERVAL_MS = 100;

/**
 * Distributed single-flight: one process takes a lease in the database and calls the provider. The others poll for its
 * result. If the leader stores nothing, dies, or the database fails, each process calls the provider itself. Results
 * are JSON.
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
      // Another process acquired the lease first.
      return (await followLeader(shared)) ?? { role: 'none' };
    } catch (error) {
      warn(error);
      return { role: 'none' };
    }
  }

  /** Waits for the stored result or the result of a leader. Returns undefined if there is no leader. */
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

  /** Settles a lease. If this fails, the lease expires. */
  async function settle(key: string, result: unknown, resultTtlMs: number): Promise<void> {
    await settleLease(sql, key, result, resultTtlMs).catch(warn);
  }
}
