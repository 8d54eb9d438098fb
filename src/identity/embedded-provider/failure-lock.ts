/** Remembers failed sign-ins per account, whatever addresses they came from. */
export interface FailureLock {
  /** Seconds for which the account takes no further attempt; 0 where it does. */
  lockedFor(account: string): number;
  failed(account: string): void;
  succeeded(account: string): void;
}

interface Failures {
  count: number;
  /** When the first of them was. */
  since: number;
}

/**
 * Locks an account after `limit` failures until the window is over, as the hosted provider does (100 in an hour).
 * Unknown accounts are counted alike, so that a lock tells nothing; the oldest entry goes first when memory is full.
 */
export function createFailureLock({
  limit = 100,
  windowMs = 3_600_000,
  maxAccounts = 50_000,
  now = () => performance.now(),
} = {}): FailureLock {
  const accounts = new Map<string, Failures>();
  const current = (account: string): Failures | undefined => {
    const failures = accounts.get(account);
    if (failures && now() - failures.since >= windowMs) {
      accounts.delete(account);
      return undefined;
    }
    return failures;
  };
  return {
    lockedFor(account) {
      const failures = current(account);
      return failures && failures.count >= limit ? Math.ceil((failures.since + windowMs - now()) / 1000) : 0;
    },
    failed(account) {
      const failures = current(account);
      if (failures) return void (failures.count += 1);
      if (accounts.size >= maxAccounts) accounts.delete(accounts.keys().next().value!);
      accounts.set(account, { count: 1, since: now() });
    },
    succeeded: (account) => void accounts.delete(account),
  };
}
