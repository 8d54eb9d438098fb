import { Failure, type FailureCode } from '../../errors.ts';
import type { Guard } from '../http/app-type.ts';
import { limitedAddress } from '../http/limited-address.ts';
import { createRateLimiter, type RateLimiter } from '../http/rate-limit.ts';
import { noteStanding } from '../http/rate-limit-headers.ts';
import { isSameSecret } from '../http/same-secret.ts';

export interface OperatorOptions {
  /** The setting that holds the token, such as `DEMO_ACCESS_OPERATOR_TOKEN`. */
  name: string;
  /** Its value; `undefined` where it is not set. */
  token: string | undefined;
  /** The answer where the setting is absent (default `NOT_CONFIGURED`). */
  absent?: FailureCode;
  /** Requests a minute that one address may send, with a good token or without (default 20). */
  perMinute?: number;
  /** Counts them (default: in this process). */
  limiter?: RateLimiter;
  /** A monotonic clock in milliseconds, for tests. */
  now?: () => number;
}

/** One Bearer credential in the alphabet of RFC 6750; nothing longer is worth a comparison. */
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]{1,512}=*)$/i;

/** Lets the holder of one token pass: 401 for any other, 429 past an address's limit, `absent` without a setting. */
export function operatorGuard(options: OperatorOptions): Guard {
  const { name, token, absent = 'NOT_CONFIGURED', perMinute = 20, now } = options;
  const { limiter = createRateLimiter({ limit: perMinute, ...(now && { now }) }) } = options;
  return {
    says: `operator: ${name}`,
    async check(request) {
      if (!token) throw new Failure(absent);
      const taken = await limiter.take(limitedAddress(request));
      noteStanding(request, taken.standing);
      if (!taken.ok) throw new Failure('RATE_LIMITED', { retryAfter: taken.retryAfter });
      const given = BEARER.exec(request.headers.authorization ?? '')?.[1];
      if (given === undefined || !isSameSecret(given, token))
        throw new Failure('UNAUTHENTICATED', { message: `Send the ${name} as "Authorization: Bearer <token>".` });
    },
  };
}
