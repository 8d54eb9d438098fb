import { withTimeout } from '../../platform/http/with-timeout.ts';
import type { KeyHolder } from './queries.ts';
import type { SharedKeys } from './shared-keys.ts';

/** Cache time to live in ms while the database responds. A revoked key can work for at most this long. */
const TTL_MS = 5_000;
/** Stale-while-revalidate: after this age in ms a lookup refreshes the entry in the background. */
const REFRESH_AFTER_MS = 2_000;
/** Stale-if-error: age in ms up to which a known key is accepted while the database is unavailable. */
export const MAX_STALE_MS = 60_000;
/** Time in ms without background refreshes after a failed query. */
const RETRY_AFTER_MS = 1_000;
/** Timeout of a query in ms, after which the database counts as unavailable. */
const QUERY_TIMEOUT_MS = 5_000;
const MAX_ENTRIES = 10_000;
/** Maximum number of pending lookups. Further lookups reject. */
const MAX_PENDING_LOOKUPS = 2_000;

interface Entry {
  holder: KeyHolder | null;
  /** Start of the query on the monotonic clock. */
  queriedAt: number;
}

export interface KeyCache {
  /**
   * Returns the holder of a key by its hash, or `null` for an unknown key. Returns a promise only if it queries the
   * database. The promise may reject.
   */
  find(hash: string): KeyHolder | null | Promise<KeyHolder | null>;
  /** Removes all entries after this process changed a key. */
  clear(): void;
}

interface KeyCacheOptions {
  /** Keys that other processes have found (default: none are shared). */
  shared?: SharedKeys | undefined;
  now?: () => number;
}

/**
 * Caches keys for a few seconds, or for a minute while the database is unavailable. All pending lookups share one
 * query, and one query runs at a time. So a flood of random keys costs one statement per round trip.
 */
export function createKeyCache(
  loadHolders: (hashes: string[]) => Promise<KeyHolder[]>,
  { shared, now = () => performance.now() }: KeyCacheOptions = {},
): KeyCache {
  const entries = new Map<string, Entry>();
  let pendingLookups = new Map<string, PromiseWithResolvers<KeyHolder | null>>();
  let isQuerying = false;
  let clearedAt = Number.NEGATIVE_INFINITY;
  /** Time of the last query if it failed. */
  let failedAt: number | undefined;

  const enqueueLookup = (hash: string): Promise<KeyHolder | null> => {
    const existingLookup = pendingLookups.get(hash);
    if (existingLookup) return existingLookup.promise;
    if (pendingLookups.size >= MAX_PENDING_LOOKUPS)
      return Promise.reject(new Error('too many keys are being looked up'));
    const lookup = Promise.withResolvers<KeyHolder | null>();
    pendingLookups.set(hash, lookup);
    if (!isQuerying)
      queueMicrotask(() => {
        void flushBatches();
      });
    return lookup.promise;
  };

  const flushBatches = async (): Promise<void> => {
    if (isQuerying) return;
    isQuerying = true;
    while (pendingLookups.size > 0) {
      const batch = pendingLookups;
      pendingLookups = new Map();
      const { found, error } = await lookUp([...batch.keys()]);
      for (const [hash, lookup] of batch) {
        const entry = found.get(hash) ?? entries.get(hash);
        if (entry && isUsable(entry)) lookup.resolve(entry.holder);
        else lookup.reject(error);
        if (entry && entry.queriedAt > clearedAt) storeEntry(hash, entry);
      }
    }
    isQuerying = false;
  };

  /** Asks the other processes first, then the database. Returns what was found, and the error of a failed query. */
  const lookUp = async (hashes: string[]): Promise<{ found: Map<string, Entry>; error?: unknown }> => {
    const found = await findSharedEntries(hashes);
    const missingHashes = hashes.filter((hash) => {
      const entry = found.get(hash);
      return !entry || now() - entry.queriedAt >= REFRESH_AFTER_MS;
    });
    if (missingHashes.length === 0) return { found };
    const queriedAt = now();
    try {
      const holders = await withTimeout(QUERY_TIMEOUT_MS, loadHolders(missingHashes), () => {
        throw new Error('the query of API keys timed out');
      });
      failedAt = undefined;
      const holdersByHash = new Map(holders.map((holder) => [holder.hash, holder]));
      for (const hash of missingHashes) found.set(hash, { holder: holdersByHash.get(hash) ?? null, queriedAt });
      void shared?.save(holders);
      return { found };
    } catch (error) {
      failedAt = now();
      return { found, error };
    }
  };

  const findSharedEntries = async (hashes: string[]): Promise<Map<string, Entry>> => {
    const sharedKeys = (await shared?.find(hashes)) ?? [];
    const foundAt = now();
    const found = [...sharedKeys].map(
      ([hash, { holder, ageMs }]) => [hash, { holder, queriedAt: foundAt - ageMs }] as const,
    );
    return new Map(found.filter(([, { queriedAt }]) => queriedAt > clearedAt));
  };

  /** Returns whether an entry is fresh, or names a holder while the database is unavailable. */
  const isUsable = ({ holder, queriedAt }: Entry): boolean => {
    const age = now() - queriedAt;
    return age < TTL_MS || (failedAt !== undefined && holder !== null && age < MAX_STALE_MS);
  };

  const storeEntry = (hash: string, entry: Entry): void => {
    entries.delete(hash);
    entries.set(hash, entry);
    if (entries.size > MAX_ENTRIES) entries.delete(entries.keys().next().value!);
  };

  return {
    find(hash) {
      const entry = entries.get(hash);
      if (!entry || !isUsable(entry)) return enqueueLookup(hash);
      const isRetryDue = failedAt === undefined || now() - failedAt >= RETRY_AFTER_MS;
      // Ignore a failed refresh: the entry is served until it is too old, and the next lookup then fails.
      if (now() - entry.queriedAt >= REFRESH_AFTER_MS && isRetryDue && !pendingLookups.has(hash))
        enqueueLookup(hash).catch(() => {});
      return entry.holder;
    },
    clear() {
      clearedAt = now();
      entries.clear();
    },
  };
}
