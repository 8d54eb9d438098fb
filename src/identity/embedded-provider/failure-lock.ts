import type { FailureLimiter } from '../../http/rate-limit.ts';

/** Remembers failed sign-ins per account, whatever addresses they came from. */
export interface FailureLock {
  /** Seconds for which the account takes no further attempt; 0 where it does. */
  lockedFor(account: string): Promise<number>;
  failed(account: string): Promise<void>;
  succeeded(account: string): Promise<void>;
}

/**
 * Locks an account after as many failures as the limiter allows in its window, as the hosted provider does (100 in an
 * hour), until the first of them is older than that. Unknown accounts are counted alike, so that a lock tells nothing.
 */
export const createFailureLock = (failures: FailureLimiter): FailureLock => ({
  async lockedFor(account) {
    const next = await failures.look(account);
    return next.ok ? 0 : Math.ceil(next.retryAfter);
  },
  failed: async (account) => void (await failures.take(account)),
  succeeded: async (account) => failures.forget(account),
});
