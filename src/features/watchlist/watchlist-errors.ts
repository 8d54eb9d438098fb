import { AppError } from '../../errors.ts';
import { NO_BOND_FEED_MESSAGE } from '../../market-data/services/catalog/register-symbol.ts';
import type { AddResult } from './add-to-watchlist.ts';
import { MAX_IMPORT_BYTES, type ImportResult } from './import-watchlist.ts';

/** When to come back after a 503: what is away is looked for again at once, so soon. */
const RETRY_AFTER_SECONDS = 5;

/** What every route answers that needs the member's tier and cannot read it: which rows are locked is never guessed. */
export const createTierUnavailableError = (): AppError =>
  new AppError('TIER_UNAVAILABLE', { retryAfter: RETRY_AFTER_SECONDS });

/** The failure that a refused add answers with. */
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
    case 'unknown':
      return new AppError('UNKNOWN_SYMBOL');
    case 'unsupported':
      return new AppError('UNSUPPORTED_ASSET', rejection.detail && { message: NO_BOND_FEED_MESSAGE });
    case 'unavailable':
      return new AppError('UNAVAILABLE', {
        retryAfter: rejection.retryAfter ?? RETRY_AFTER_SECONDS,
        message: 'The symbol cannot be looked up right now; try again shortly.',
      });
    case 'rate_limited':
      return new AppError('RATE_LIMITED', { retryAfter: rejection.retryAfter });
    case 'changing':
      return new AppError('CONFLICT');
  }
}

/** The failure that a refused import answers with; nothing of it was added. */
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
