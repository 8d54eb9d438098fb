import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { createRateLimiter, type RateLimiter } from './rate-limit.ts';
import type { SharedRateLimits } from './redis-rate-limiter.ts';
import { toRateLimitAddress } from './rate-limit-address.ts';
import { recordRateLimitState } from './rate-limit-headers.ts';

const DAY_MS = 86_400_000;
const READ_METHODS = new Set(['GET', 'HEAD']);
/** Minutes of requests at the limit that a member may write on a day, so that log-like rows are bounded. */
const MINUTES_OF_WRITES = 20;

/** The limiters of a member's requests: all of them a minute, and those that may write a day. */
export interface MemberLimiters {
  requests: RateLimiter;
  writes: RateLimiter;
}

/** Creates the limiters of a member who may send `perMinute` requests. */
export const createMemberLimiters = (
  perMinute: number,
  createLimiter: SharedRateLimits['createLimiter'] = createRateLimiter,
): MemberLimiters => ({
  requests: createLimiter({ name: 'api', limit: perMinute }),
  writes: createLimiter({ name: 'api-writes', limit: perMinute * MINUTES_OF_WRITES, windowMs: DAY_MS }),
});

/**
 * Limits the requests of one member per minute, and the writes per day. Visitors share the sample user, so they count
 * by address. A request is counted once, even if its route calls this repeatedly.
 */
export function limitPerMember<M extends { idpId: string; isSampleUser?: boolean }, O>(
  requireMember: (request: FastifyRequest, options?: O) => Promise<M>,
  { requests, writes }: MemberLimiters,
): (request: FastifyRequest, options?: O) => Promise<M> {
  const countedRequests = new WeakSet<FastifyRequest>();
  const checkByRequest = new WeakMap<FastifyRequest, Promise<M>>();
  const check = async (request: FastifyRequest, options?: O): Promise<M> => {
    const member = await requireMember(request, options);
    if (!countedRequests.has(request)) {
      countedRequests.add(request);
      const key = member.isSampleUser ? `sample ${toRateLimitAddress(request)}` : member.idpId;
      const result = await requests.consume(key);
      recordRateLimitState(request, result.state);
      if (!result.ok) throw new AppError('RATE_LIMITED', { retryAfter: result.retryAfter });
      const written = READ_METHODS.has(request.method) ? result : await writes.consume(key);
      if (!written.ok) throw new AppError('RATE_LIMITED', { retryAfter: written.retryAfter });
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
