import { AppError } from '../../../errors.ts';
import type { LookupRateLimited } from './lookup-rate-limit.ts';
import type { RegistrationFailure } from './register-symbol.ts';

/** Message for members if a bond is rejected. */
const NO_BOND_FEED_MESSAGE = 'Bonds cannot be added because no bond feed is configured.';

/** `retry-after` in seconds if the provider names none. */
const RETRY_AFTER_SECONDS = 5;

/** Converts a failed look-up of a symbol to the API error. */
export function toLookupError(failure: RegistrationFailure | LookupRateLimited): AppError {
  switch (failure.reason) {
    case 'unknown':
      return new AppError('UNKNOWN_SYMBOL');
    case 'unsupported':
      return new AppError('UNSUPPORTED_ASSET', failure.detail && { message: NO_BOND_FEED_MESSAGE });
    case 'rate_limited':
      return new AppError('RATE_LIMITED', { retryAfter: failure.retryAfter });
    case 'unavailable':
      return new AppError('UNAVAILABLE', {
        retryAfter: failure.retryAfter ?? RETRY_AFTER_SECONDS,
        message: 'The symbol cannot be looked up right now; try again shortly.',
      });
  }
}
