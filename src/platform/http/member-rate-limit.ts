import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { createRateLimiter, type RateLimiter } from './rate-limit.ts';
import { toRateLimitAddress } from './rate-limit-address.ts';
import { recordRateLimitState } from './rate-limit-headers.ts';

/**
 * Limits the requests of one member per minute. Visitors share the sample user, so they count by address. A request is
 * checked and counted once, even if its route calls this repeatedly.
 */
export function limitPerMember<M extends { idpId: string; isSampleUser?: boolean }, O>(
  requireMember: (request: FastifyRequest, options?: O) => Promise<M>,
  perMinute: number,
  limiter: RateLimiter = createRateLimiter({ limit: perMinute }),
): (request: FastifyRequest, options?: O) => Promise<M> {
  const countedRequests = new WeakSet<FastifyRequest>();
  const checkByRequest = new WeakMap<FastifyRequest, Promise<M>>();
  const check = async (request: FastifyRequest, options?: O): Promise<M> => {
    const member = await requireMember(request, options);
    if (!countedRequests.has(request)) {
      countedRequests.add(request);
      const result = await limiter.consume(
        member.isSampleUser ? `sample ${toRateLimitAddress(request)}` : member.idpId,
      );
      recordRateLimitState(request, result.state);
      if (!result.ok) throw new AppError('RATE_LIMITED', { retryAfter: result.retryAfter });
    }
    return member;
  };
  return (request, options) => {
    // A check without the session gate must not be reused as a full check.
    if (options !== undefined) return check(request, options);
    const pendingCheck = checkByRequest.get(request) ?? check(request);
    checkByRequest.set(request, pendingCheck);
    return pendingCheck;
  };
}
