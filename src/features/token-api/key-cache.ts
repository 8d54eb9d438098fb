import type { KeyHolder } from './queries.ts';

/** Cache time to live in ms. A revoked key can work for at most this long. */
const TTL_MS = 5_000;
/** Stale-while-revalidate: after this age in ms a lookup refreshes the entry in the background. */
const REFRESH_AFTER_MS = 2_000;
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

/**
 * Caches keys for a few seconds. All pending lookups share one query, and one query runs at a time. So a flood of
 * random keys costs one statement per round trip.
 */
export function createKeyCache(
  loadHolders: (hashes: string[]) => Promise<KeyHolder[]>,
  now: () => number = () => performance.now(),
): KeyCache {
  const entries = new Map<string, Entry>();
  let pendingLookups = new Map<string, PromiseWithResolvers<KeyHolder | null>>();
  let isQuerying = false;
  let cacheGeneration = 0;

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
      const queriedAt = now();
      const generation = cacheGeneration;
      try {
        const holders = new Map((await loadHolders([...batch.keys()])).map((holder) => [holder.hash, holder]));
        for (const [hash, lookup] of batch) {
          const holder = holders.get(hash) ?? null;
          if (generation === cacheGeneration) storeEntry(hash, { holder, queriedAt });
          lookup.resolve(holder);
        }
      } catch (error) {
        for (const lookup of batch.values()) lookup.reject(error);
      }
    }
    isQuerying = false;
  };

  const storeEntry = (hash: string, entry: Entry): void => {
    entries.delete(hash);
    entries.set(hash, entry);
    if (entries.size > MAX_ENTRIES) entries.delete(entries.keys().next().value!);
  };

  return {
    find(hash) {
      const entry = entries.get(hash);
      const age = entry ? now() - entry.queriedAt : Number.POSITIVE_INFINITY;
      if (!entry || age >= TTL_MS) return enqueueLookup(hash);
      // Ignore a failed refresh: the entry expires, and the next lookup then fails.
      if (age >= REFRESH_AFTER_MS && !pendingLookups.has(hash)) enqueueLookup(hash).catch(() => {});
      return entry.holder;
    },
    clear() {
      cacheGeneration += 1;
      entries.clear();
    },
  };
}
