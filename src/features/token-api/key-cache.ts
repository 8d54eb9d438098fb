import type { KeyHolder } from './queries.ts';

/** Milliseconds for which an answer is used; so long can a revoked key still work, at most. */
const GOOD_FOR_MS = 5_000;
/** A key in use is looked up again at this age, behind the request that noticed, so that no request waits for it. */
const REFRESH_AFTER_MS = 2_000;
const MAX_ENTRIES = 10_000;
/** Look-ups that may wait at a time; beyond, callers are told to come back. */
const MAX_WAITING = 2_000;

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
  lookUp: (hashes: string[]) => Promise<KeyHolder[]>,
  now: () => number = () => performance.now(),
): KeyCache {
  const entries = new Map<string, Entry>();
  let waiting = new Map<string, PromiseWithResolvers<KeyHolder | null>>();
  let querying = false;
  let cleared = 0;

  const ask = (hash: string): Promise<KeyHolder | null> => {
    const already = waiting.get(hash);
    if (already) return already.promise;
    if (waiting.size >= MAX_WAITING) return Promise.reject(new Error('too many keys are being looked up'));
    const wait = Promise.withResolvers<KeyHolder | null>();
    waiting.set(hash, wait);
    if (!querying) queueMicrotask(() => void drain());
    return wait.promise;
  };

  const drain = async (): Promise<void> => {
    if (querying) return;
    querying = true;
    while (waiting.size > 0) {
      const batch = waiting;
      waiting = new Map();
      const queriedAt = now();
      const generation = cleared;
      try {
        const holders = new Map((await lookUp([...batch.keys()])).map((holder) => [holder.hash, holder]));
        for (const [hash, wait] of batch) {
          const holder = holders.get(hash) ?? null;
          if (generation === cleared) remember(hash, { holder, queriedAt });
          wait.resolve(holder);
        }
      } catch (error) {
        for (const wait of batch.values()) wait.reject(error);
      }
    }
    querying = false;
  };

  const remember = (hash: string, entry: Entry): void => {
    entries.delete(hash);
    entries.set(hash, entry);
    if (entries.size > MAX_ENTRIES) entries.delete(entries.keys().next().value!);
  };

  return {
    find(hash) {
      const entry = entries.get(hash);
      const age = entry ? now() - entry.queriedAt : Number.POSITIVE_INFINITY;
      if (!entry || age >= GOOD_FOR_MS) return ask(hash);
      // A failed refresh is not this request's affair: the entry runs out, and then the failure shows.
      if (age >= REFRESH_AFTER_MS && !waiting.has(hash)) ask(hash).catch(() => {});
      return entry.holder;
    },
    clear() {
      cleared += 1;
      entries.clear();
    },
  };
}
