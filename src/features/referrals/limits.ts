import { Failure } from '../../errors.ts';
import type { Guard } from '../../platform/http/app-type.ts';
import { openTo } from '../../platform/http/guard.ts';
import { limitedAddress } from '../../platform/http/limited-address.ts';
import { createRateLimiter, type RateLimiter } from '../../platform/http/rate-limit.ts';
import type { SharedLimits } from '../../platform/http/shared-limits.ts';
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
  /** Takes one of an identifier's calls, and one of those that are accepted in all; throws RATE_LIMITED. */
  take(identifier: string): Promise<void>;
}

/** The limits that the open routes share; none without `rates`. */
export function createReferralLimits(
  rates: ReferralRateLimits | undefined,
  metrics: Pick<ReferralMetrics, 'refused'>,
  limiterOf: SharedLimits['limiter'] = createRateLimiter,
): ReferralLimits {
  const limiter = (name: string, limit: number | undefined): RateLimiter =>
    limit === undefined ? { take: () => ({ ok: true }) } : limiterOf({ name: `referrals-${name}`, limit });
  const addresses = limiter('address', rates?.perAddress);
  const identifiers = limiter('identifier', rates?.perIdentifier);
  const accepted = limiter('in-all', rates?.inAll);
  const takeOne = async (from: RateLimiter, key: string, limit: 'address' | 'identifier' | 'process') => {
    const taken = await from.take(key);
    if (taken.ok) return;
    metrics.refused(limit);
    throw new Failure('RATE_LIMITED', { retryAfter: taken.retryAfter });
  };
  return {
    guard: {
      ...openTo('its contract asks for no credential'),
      check: (request) => takeOne(addresses, limitedAddress(request), 'address'),
    },
    async take(identifier) {
      await takeOne(identifiers, identifier, 'identifier');
      await takeOne(accepted, '', 'process');
    },
  };
}
