import type { ProviderError } from '../../domain/market-data-provider.ts';

/** Errors from most to least informative. "unknown" wins only if no provider failed. */
const PRECEDENCE: readonly ProviderError['reason'][] = [
  'unsupported',
  'upstream',
  'rate_limited',
  'quota_exhausted',
  'unknown',
  'not_entitled',
];

/** Returns the more informative of two errors, or the first if both are equal. */
export function selectMoreInformative(first: ProviderError | undefined, second: ProviderError): ProviderError {
  if (first === undefined) return second;
  return PRECEDENCE.indexOf(first.reason) <= PRECEDENCE.indexOf(second.reason) ? first : second;
}

/** A rate limit ends soonest and has the highest precedence. A plan changes last. */
const SKIP_PRECEDENCE: readonly ProviderError['reason'][] = ['rate_limited', 'upstream', 'not_entitled'];

/** Returns the skip error to report. If several have the same kind, returns the one with the shortest wait. */
export function selectSkipError(errors: readonly ProviderError[]): ProviderError | undefined {
  const [first] = errors.toSorted(
    (a, b) =>
      SKIP_PRECEDENCE.indexOf(a.reason) - SKIP_PRECEDENCE.indexOf(b.reason) || getRetryAfter(a) - getRetryAfter(b),
  );
  return first;
}

const getRetryAfter = (error: ProviderError): number => ('retryAfter' in error ? (error.retryAfter ?? 0) : 0);
