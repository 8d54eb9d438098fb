import { AppError, type ErrorCode } from '../../errors.ts';
import type { Guard } from '../http/app-type.ts';
import { toRateLimitAddress } from '../http/rate-limit-address.ts';
import { createRateLimiter, type RateLimiter } from '../http/rate-limit.ts';
import { recordRateLimitState } from '../http/rate-limit-headers.ts';
import { isTimingSafeEqual } from '../http/timing-safe-equal.ts';

export interface OperatorOptions {
  /** Name of the setting with the token, such as `DEMO_ACCESS_OPERATOR_TOKEN`. */
  name: string;
  /** Value of the setting, or `undefined` if it is not set. */
  token: string | undefined;
  /** Error code if the setting is missing (default `NOT_CONFIGURED`). */
  missingSettingCode?: ErrorCode;
  /** Maximum requests a minute of one address, with a valid token or without (default 20). */
  maxPerMinute?: number;
  /** Limiter of the requests (default: in this process). */
  limiter?: RateLimiter;
  /** A monotonic clock in ms, for tests. */
  now?: () => number;
}

/** Matches one Bearer credential in the alphabet of RFC 6750, up to a length limit. */
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]{1,512}=*)$/i;

/**
 * Creates a guard that accepts the holder of one token. Throws 401 for any other credential, and 429 above the limit of
 * an address. Throws `missingSettingCode` without a setting.
 */
export function createOperatorGuard(options: OperatorOptions): Guard {
  const { name, token, missingSettingCode = 'NOT_CONFIGURED', maxPerMinute = 20, now } = options;
  const { limiter = createRateLimiter({ limit: maxPerMinute, ...(now && { now }) }) } = options;
  return {
    description: `operator: ${name}`,
    limit: { per: 'address', rates: [limiter.rate] },
    async check(request) {
      if (!token) throw new AppError(missingSettingCode);
      const rateLimit = await limiter.consume(toRateLimitAddress(request));
      recordRateLimitState(request, rateLimit.state);
      if (!rateLimit.ok) throw new AppError('RATE_LIMITED', { retryAfter: rateLimit.retryAfter });
      const sentToken = BEARER.exec(request.headers.authorization ?? '')?.[1];
      if (sentToken === undefined || !isTimingSafeEqual(sentToken, token))
        throw new AppError('UNAUTHENTICATED', { message: `Send the ${name} as "Authorization: Bearer <token>".` });
    },
  };
}
