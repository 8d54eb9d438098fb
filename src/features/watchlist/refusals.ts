import { Failure } from '../../errors.ts';
import { NO_BOND_FEED } from '../../market-data/services/catalog/register-symbol.ts';
import type { Added } from './add-to-watchlist.ts';
import { IMPORT_BYTES, type Imported } from './import-watchlist.ts';

/** When to come back after a 503: what is away is looked for again at once, so soon. */
const TRY_AGAIN_SECONDS = 5;

/** What every route answers that needs the member's tier and cannot read it: which rows are locked is never guessed. */
export const tierFailure = (): Failure => new Failure('TIER_UNAVAILABLE', { retryAfter: TRY_AGAIN_SECONDS });

/** The failure that a refused add answers with. */
export function refusalOf(refused: Exclude<Added, { ok: true }>): Failure {
  switch (refused.reason) {
    case 'tier_unavailable':
      return tierFailure();
    case 'already_watched':
      return new Failure('ALREADY_WATCHED', { body: { item: refused.item } });
    case 'limit_reached':
      return new Failure('WATCHLIST_LIMIT_REACHED', {
        exactBody: true,
        body: { limit: refused.limit, tier: refused.tier },
      });
    case 'unknown':
      return new Failure('UNKNOWN_SYMBOL');
    case 'unsupported':
      return new Failure('UNSUPPORTED_ASSET', refused.detail && { message: NO_BOND_FEED });
    case 'unavailable':
      return new Failure('UNAVAILABLE', {
        retryAfter: refused.retryAfter ?? TRY_AGAIN_SECONDS,
        message: 'The symbol cannot be looked up right now; try again shortly.',
      });
    case 'rate_limited':
      return new Failure('RATE_LIMITED', { retryAfter: refused.retryAfter });
    case 'changing':
      return new Failure('CONFLICT');
  }
}

/** The failure that a refused import answers with; nothing of it was added. */
export function importRefusalOf(refused: Exclude<Imported, { ok: true }>): Failure {
  switch (refused.reason) {
    case 'too_large':
      return new Failure('PAYLOAD_TOO_LARGE', { message: `The text is larger than ${IMPORT_BYTES / 1024} kB.` });
    case 'too_many':
      return new Failure('INVALID_REQUEST', {
        issues: [{ path: 'text', message: `has ${refused.count} ${refused.what}; at most ${refused.most} at a time` }],
      });
    case 'tier_unavailable':
      return tierFailure();
    case 'unavailable':
      return new Failure('UNAVAILABLE', {
        retryAfter: refused.retryAfter ?? TRY_AGAIN_SECONDS,
        message: 'Some symbols cannot be looked up right now; nothing was added.',
      });
  }
}
