import { AppError } from '../../errors.ts';
import { toLookupError } from '../../market-data/services/catalog/lookup-errors.ts';
import type { AddResult } from './add-to-watchlist.ts';
import { MAX_IMPORT_BYTES, type ImportResult } from './import-watchlist.ts';

/** `retry-after` of a 503 in seconds. The value is small, because the next request checks availability again. */
const RETRY_AFTER_SECONDS = 5;

/**
 * Creates the error of a route that needs the member's tier while the tier is unavailable. The locked rows are never
 * guessed.
 */
export const createTierUnavailableError = (): AppError =>
  new AppError('TIER_UNAVAILABLE', { retryAfter: RETRY_AFTER_SECONDS });

/** Converts a rejected add to the API error. */
export function toAddError(rejection: Exclude<AddResult, { ok: true }>): AppError {
  switch (rejection.reason) {
    case 'tier_unavailable':
      return createTierUnavailableError();
    case 'already_watched':
      return new AppError('ALREADY_WATCHED', { body: { item: rejection.item } });
    case 'limit_reached':
      return new AppError('WATCHLIST_LIMIT_REACHED', {
        exactBody: true,
        body: { limit: rejection.limit, tier: rejection.tier },
      });
    case 'conflict':
      return new AppError('CONFLICT');
    default:
      return toLookupError(rejection);
  }
}

/** Converts a rejected import to the API error. A rejected import adds nothing. */
export function toImportError(rejection: Exclude<ImportResult, { ok: true }>): AppError {
  switch (rejection.reason) {
    case 'too_large':
      return new AppError('PAYLOAD_TOO_LARGE', { message: `The text is larger than ${MAX_IMPORT_BYTES / 1024} kB.` });
    case 'too_many':
      return new AppError('INVALID_REQUEST', {
        issues: [
          { path: 'text', message: `has ${rejection.count} ${rejection.unit}; at most ${rejection.max} at a time` },
        ],
      });
    case 'tier_unavailable':
      return createTierUnavailableError();
    case 'unavailable':
      return new AppError('UNAVAILABLE', {
        retryAfter: rejection.retryAfter ?? RETRY_AFTER_SECONDS,
        message: 'Some symbols cannot be looked up right now; nothing was added.',
      });
  }
}
