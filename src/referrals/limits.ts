import { Failure } from '../errors.ts';
import type { Guard } from '../http/app-type.ts';
import { openTo } from '../http/guard.ts';
import { createRateLimiter, type LocalLimiter } from '../http/rate-limit.ts';
import type { ReferralMetrics } from './metrics.ts';

/** Calls of the open routes in any minute: for one identifier or link, from one address, and in all. */
export interface ReferralRateLimits {
  perIdentifier: number;
  perAddress: number;
  inAll: number;
}

export interface ReferralLimits {
  /** Admits anyone within the limit of their address. */
  readonly guard: Guard;
  /** Takes one of an identifier's calls, and one of those that this process accepts; throws RATE_LIMITED. */
  take(identifier: string): void;
}

/** The limits that the open routes share; none without `rates`. `now` is a monotonic clock in milliseconds. */
export function createReferralLimits(
  rates: ReferralRateLimits | undefined,
  metrics: Pick<ReferralMetrics, 'refused'>,
  now: () => number = () => performance.now(),
): ReferralLimits {
  const limiterOf = (limit: number | undefined): LocalLimiter =>
    limit === undefined ? { take: () => ({ ok: true }) } : createRateLimiter({ limit, now });
  const addresses = limiterOf(rates?.perAddress);
  const identifiers = limiterOf(rates?.perIdentifier);
  const accepted = limiterOf(rates?.inAll);
  const takeOne = (limiter: LocalLimiter, key: string, limit: 'address' | 'identifier' | 'process'): void => {
    const taken = limiter.take(key);
    if (taken.ok) return;
    metrics.refused(limit);
    throw new Failure('RATE_LIMITED', { retryAfter: taken.retryAfter });
  };
  return {
    guard: {
      ...openTo('its contract asks for no credential'),
      check: async (request) => takeOne(addresses, request.ip, 'address'),
    },
    take(identifier) {
      takeOne(identifiers, identifier, 'identifier');
      takeOne(accepted, '', 'process');
    },
  };
}
