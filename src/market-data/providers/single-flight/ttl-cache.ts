import { createSingleFlight, type SharedCall, type SingleFlight } from './single-flight.ts';

/** Shares what is under way, and keeps the last results of this process as long as they are good. */
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
      // First, so that a renewed result takes no other's place.
      cache.delete(key);
      if (cache.size >= maxEntries) cache.delete(cache.keys().next().value!);
      cache.set(key, { result, until: clock() + resultTtlMs });
    }
    return result;
  };
}
