import type { FastifyRequest } from 'fastify';
import { limitedAddress } from '../../http/limited-address.ts';
import type { RateLimiter, Taken } from '../../http/rate-limit.ts';
import { refusals } from './provider-error.ts';

/** Throws 429 with the time to wait where a limit has no attempt left. */
export async function refuseTooMany(attempt: Taken | Promise<Taken>): Promise<void> {
  const taken = await attempt;
  if (!taken.ok) throw refusals.tooMany(taken.retryAfter);
}

/** A hook that takes one of the address's attempts before the body is read. */
export const limitAddress =
  (limiter: RateLimiter) =>
  (request: FastifyRequest): Promise<void> =>
    refuseTooMany(limiter.take(limitedAddress(request)));
