import type { FastifyRequest } from 'fastify';
import { Failure } from '../../errors.ts';
import { createRateLimiter, type RateLimiter } from './rate-limit.ts';
import { noteStanding } from './rate-limit-headers.ts';

/** Limits one member's requests a minute; a request is checked and counted once, however often its route calls this. */
export function limitPerMember<M extends { idpId: string }, O>(
  requireMember: (request: FastifyRequest, options?: O) => Promise<M>,
  perMinute: number,
  limiter: RateLimiter = createRateLimiter({ limit: perMinute }),
): (request: FastifyRequest, options?: O) => Promise<M> {
  const counted = new WeakSet<FastifyRequest>();
  const checked = new WeakMap<FastifyRequest, Promise<M>>();
  const check = async (request: FastifyRequest, options?: O): Promise<M> => {
    const member = await requireMember(request, options);
    if (!counted.has(request)) {
      counted.add(request);
      const taken = await limiter.take(member.idpId);
      noteStanding(request, taken.standing);
      if (!taken.ok) throw new Failure('RATE_LIMITED', { retryAfter: taken.retryAfter });
    }
    return member;
  };
  return (request, options) => {
    // A check without the session gate must not stand for the whole one.
    if (options !== undefined) return check(request, options);
    const known = checked.get(request) ?? check(request);
    checked.set(request, known);
    return known;
  };
}
