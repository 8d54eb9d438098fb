import { AppError } from '../../errors.ts';
import type { Guard } from '../../platform/http/app-type.ts';
import { publicGuard } from '../../platform/http/guard.ts';
import { toRateLimitAddress } from '../../platform/http/rate-limit-address.ts';
import { createRateLimiter, type RateLimiter } from '../../platform/http/rate-limit.ts';
import type { SharedRateLimits } from '../../platform/http/redis-rate-limiter.ts';
import type { ReferralMetrics } from './metrics.ts';

/** Calls of the open routes per minute: for one identifier or link, from one address, and in total. */
export interface ReferralRateLimits {
  perIdentifier: number;
  perAddress: number;
  total: number;
}

export interface ReferralLimits {
  /** Rejects requests over the limit of their address. */
  readonly guard: Guard;
  /** Consumes one call of the identifier and one of the total. Throws RATE_LIMITED. */
  consume(identifier: string): Promise<void>;
}

/** Creates the limits that the open routes share, or none without `rates`. */
export function createReferralLimits(
  rates: ReferralRateLimits | undefined,
  metrics: Pick<ReferralMetrics, 'countRateLimited'>,
  createLimiter: SharedRateLimits['createLimiter'] = createRateLimiter,
): ReferralLimits {
  const createNamedLimiter = (name: string, limit: number | undefined): RateLimiter =>
    limit === undefined ? { consume: () => ({ ok: true }) } : createLimiter({ name: `referrals-${name}`, limit });
  const addressLimiter = createNamedLimiter('address', rates?.perAddress);
  const identifierLimiter = createNamedLimiter('identifier', rates?.perIdentifier);
  const totalLimiter = createNamedLimiter('in-all', rates?.total);
  const consumeOrThrow = async (limiter: RateLimiter, key: string, limit: 'address' | 'identifier' | 'process') => {
    const result = await limiter.consume(key);
    if (result.ok) return;
    metrics.countRateLimited(limit);
    throw new AppError('RATE_LIMITED', { retryAfter: result.retryAfter });
  };
  return {
    guard: {
      ...publicGuard('its contract requires no credential'),
      limit: { per: 'address', rates: [addressLimiter.rate] },
      check: (request) => consumeOrThrow(addressLimiter, toRateLimitAddress(request), 'address'),
    },
    async consume(identifier) {
      await consumeOrThrow(identifierLimiter, identifier, 'identifier');
      await consumeOrThrow(totalLimiter, '', 'process');
    },
  };
}
