import { withTimeout } from '../../platform/http/with-timeout.ts';
import type { KeyHolder } from './queries.ts';
import type { SharedKeys } from './shared-keys.ts';

/** Age in ms up to which an entry is used while the database responds. A revoked key works at most this long. */
const TTL_MS = 5_000;
/** Age in ms from which a lookup refreshes the entry in the background. */
const REFRESH_AFTER_MS = 2_000;
/** Age in ms up to which a known key is accepted while the database is unavailable. */
export const MAX_STALE_MS = 60_000;
/** Time in ms without background refreshes after a failed query. */
const RETRY_AFTER_MS = 1_000;
/** Timeout of a query in ms, after which the database counts as unavailable. */
const QUERY_TIMEOUT_MS = 5_000;
/** Maximum number of cached keys. The entry that was stored first is removed. */
const MAX_ENTRIES = 10_000;
/** Maximum number of pending lookups. Further lookups reject. */
const MAX_PENDING_LOOKUPS = 2_000;

interface Entry {
  /** `null` for an unknown key. */
  holder: KeyHolder | null;
  /** Start of the query in ms on the clock of `performance.now`. */
  queriedAt: number;
}

export interface KeyCache {
  /**
   * Returns the holder of a key by its hash (hexadecimal), or `null` for an unknown key. Returns a promise if the cache
   * has no usable entry. It rejects if the database is unavailable or too many lookups are pending.
   */
  find(hash: string): KeyHolder | null | Promise<KeyHolder | null>;
  /** Removes all entries after this process changed a key. */
  clear(): void;
}

interface KeyCacheOptions {
  /** Keys that other processes have found. If undefined, none are shared. */
  shared?: SharedKeys | undefined;
  /** Replaces `performance.now` in tests. */
  now?: () => number;
}

/**
 * Caches keys for 5 s, or for a minute while the database is unavailable. One query runs at a time, and it looks up all
 * keys that were pending when it started, so that many random keys cause few queries.
 */
export function createKeyCache(
  loadHolders: (hashes: string[]) => Promise<KeyHolder[]>,
  { shared, now = () => performance.now() }: KeyCacheOptions = {},
): KeyCache {
  const entries = new Map<string, Entry>();
  let pendingLookups = new Map<string, PromiseWithResolvers<KeyHolder | null>>();
  let isQuerying = false;
  let clearedAt = Number.NEGATIVE_INFINITY;
  /** Time at which the last query failed. Undefined if it succeeded. */
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
        void runLookups();
      });
    return lookup.promise;
  };

  /** Looks up the pending keys, batch after batch, until none is pending. */
  const runLookups = async (): Promise<void> => {
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

  /**
   * Reads the entries that other processes shared, then queries the database for missing and old ones. Returns what was
   * found by hash, and the error if the query failed.
   */
  const lookUp = async (hashes: string[]): Promise<{ found: Map<string, Entry>; error?: unknown }> => {
    const found = await findSharedEntries(hashes);
    const hashesToQuery = hashes.filter((hash) => {
      const entry = found.get(hash);
      return !entry || now() - entry.queriedAt >= REFRESH_AFTER_MS;
    });
    if (hashesToQuery.length === 0) return { found };
    const queriedAt = now();
    try {
      const holders = await withTimeout(QUERY_TIMEOUT_MS, loadHolders(hashesToQuery), () => {
        throw new Error('the query of API keys timed out');
      });
      failedAt = undefined;
      const holdersByHash = new Map(holders.map((holder) => [holder.hash, holder]));
      for (const hash of hashesToQuery) found.set(hash, { holder: holdersByHash.get(hash) ?? null, queriedAt });
      void shared?.save(holders, now() - queriedAt);
      return { found };
    } catch (error) {
      failedAt = now();
      return { found, error };
    }
  };

  /** Returns shared entries by hash, without those that are older than the last change of a key in this process. */
  const findSharedEntries = async (hashes: string[]): Promise<Map<string, Entry>> => {
    const found = new Map<string, Entry>();
    if (!shared) return found;
    // The ages are read after this moment, so no entry appears younger than it is.
    const startedAt = now();
    for (const [hash, { holder, ageMs }] of await shared.find(hashes)) {
      const queriedAt = startedAt - ageMs;
      if (queriedAt > clearedAt) found.set(hash, { holder, queriedAt });
    }
    return found;
  };

  /** Returns whether an entry is fresh, or is a known key while the database is unavailable. */
  const isUsable = ({ holder, queriedAt }: Entry): boolean => {
    const age = now() - queriedAt;
    return age < TTL_MS || (failedAt !== undefined && holder !== null && age < MAX_STALE_MS);
  };

  /** Stores an entry as the newest one and removes the oldest one above the limit. */
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
      // A failed refresh is ignored, because the entry is still usable. Once it is not, lookups fail.
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
