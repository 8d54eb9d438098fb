import { AppError, type ErrorCode } from '../../errors.ts';
import type { Guard } from '../http/app-type.ts';
import { toRateLimitAddress } from '../http/rate-limit-address.ts';
import { createRateLimiter, type RateLimiter } from '../http/rate-limit.ts';
import { recordRateLimitState } from '../http/rate-limit-headers.ts';
import { isTimingSafeEqual } from '../http/timing-safe-equal.ts';

export interface OperatorOptions {
  /** The setting that holds the token, such as `DEMO_ACCESS_OPERATOR_TOKEN`. */
  name: string;
  /** Its value; `undefined` where it is not set. */
  token: string | undefined;
  /** The answer where the setting is absent (default `NOT_CONFIGURED`). */
  missingSettingCode?: ErrorCode;
  /** Requests a minute that one address may send, with a good token or without (default 20). */
  maxPerMinute?: number;
  /** Counts them (default: in this process). */
  limiter?: RateLimiter;
  /** A monotonic clock in milliseconds, for tests. */
  now?: () => number;
}

/** One Bearer credential in the alphabet of RFC 6750; nothing longer is worth a comparison. */
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]{1,512}=*)$/i;

/** Lets the holder of one token pass: 401 for any other, 429 past an address's limit, `absent` without a setting. */
export function createOperatorGuard(options: OperatorOptions): Guard {
  const { name, token, missingSettingCode = 'NOT_CONFIGURED', maxPerMinute = 20, now } = options;
  const { limiter = createRateLimiter({ limit: maxPerMinute, ...(now && { now }) }) } = options;
  return {
    description: `operator: ${name}`,
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
