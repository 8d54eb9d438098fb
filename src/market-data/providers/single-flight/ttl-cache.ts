import { createSingleFlight, type SharedCall, type SingleFlight } from './single-flight.ts';

/** Shares running calls and caches the latest results of this process until they expire. */
export function withTtlCache(clock: () => number, inner?: SingleFlight, maxEntries = 2_000): SingleFlight {
  const cache = new Map<string, { result: unknown; until: number }>();
  const singleFlight = createSingleFlight(inner);
  return async <T>(shared: SharedCall<T>) => {
    const { key, ttlMs = () => 0 } = shared;
    const cached = cache.get(key);
    if (cached && cached.until > clock()) return cached.result as T;
    const result = await singleFlight(shared);
    const resultTtlMs = ttlMs(result);
    if (resultTtlMs > 0) {
      // Delete first, so that a renewed result evicts no other one.
      cache.delete(key);
      if (cache.size >= maxEntries) cache.delete(cache.keys().next().value!);
      cache.set(key, { result, until: clock() + resultTtlMs });
    }
    return result;
  };
}
