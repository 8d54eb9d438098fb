import type { RateLimiter } from '../../http/rate-limit.ts';
import { refusals } from './provider-error.ts';

/** Takes one of the key's attempts; throws 429 with the time to wait where none is left. */
export function takeOne(limiter: RateLimiter, key: string): void {
  const taken = limiter.take(key);
  if (!taken.ok) throw refusals.tooMany(taken.retryAfter);
}
