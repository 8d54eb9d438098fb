import type { FastifyRequest } from 'fastify';
import { Failure } from '../errors.ts';
import { createRateLimiter } from './rate-limit.ts';

/**
 * Puts a limit a minute on what one member may ask of `/api`, behind the check of who it is. A request counts once,
 * however often its route asks.
 */
export function limitPerMember<M extends { idpId: string }, O>(
  requireMember: (request: FastifyRequest, options?: O) => Promise<M>,
  perMinute: number,
): (request: FastifyRequest, options?: O) => Promise<M> {
  const limiter = createRateLimiter({ limit: perMinute });
  const counted = new WeakSet<FastifyRequest>();
  return async (request, options) => {
    const member = await requireMember(request, options);
    if (!counted.has(request)) {
      counted.add(request);
      const taken = limiter.take(member.idpId);
      if (!taken.ok) throw new Failure('RATE_LIMITED', { retryAfter: taken.retryAfter });
    }
    return member;
  };
}
