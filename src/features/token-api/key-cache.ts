import type { KeyHolder } from './queries.ts';

/** Milliseconds for which an answer is used; so long can a revoked key still work, at most. */
const TTL_MS = 5_000;
/** A key in use is looked up again at this age, behind the request that noticed, so that no request waits for it. */
const REFRESH_AFTER_MS = 2_000;
const MAX_ENTRIES = 10_000;
/** Look-ups that may wait at a time; beyond, callers are told to come back. */
const MAX_PENDING_LOOKUPS = 2_000;

interface Entry {
  holder: KeyHolder | null;
  /** When the query began, on the monotonic clock. */
  queriedAt: number;
}

export interface KeyCache {
  /** The holder of a key's hash; `null`: no such key. A promise only where the database is queried; it may reject. */
  find(hash: string): KeyHolder | null | Promise<KeyHolder | null>;
  /** Forgets everything, for a process that has just revoked or changed something itself. */
  clear(): void;
}

/**
 * Keeps what the database said about keys for a few seconds. All look-ups that wait go out in one query, one query at a
 * time, so that a flood of made-up keys costs the database one statement per round trip.
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
    if (!isQuerying) queueMicrotask(() => void flushBatches());
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
      // A failed refresh is not this request's affair: the entry runs out, and then the failure shows.
      if (age >= REFRESH_AFTER_MS && !pendingLookups.has(hash)) enqueueLookup(hash).catch(() => {});
      return entry.holder;
    },
    clear() {
      cacheGeneration += 1;
      entries.clear();
    },
  };
}
