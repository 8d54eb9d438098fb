import type { RateLimiter } from '../../http/rate-limit.ts';
import { refusals } from './provider-error.ts';

/** Takes one of the key's attempts; throws 429 with the time to wait where none is left. */
export async function takeOne(limiter: RateLimiter, key: string): Promise<void> {
  const taken = await limiter.take(key);
  if (!taken.ok) throw refusals.tooMany(taken.retryAfter);
}
