import type { ProviderError } from '../../domain/market-data-provider.ts';

/** From the most to the least informative: "unknown" counts only where no provider failed. */
const PRECEDENCE: readonly ProviderError['reason'][] = [
  'unsupported',
  'upstream',
  'rate_limited',
  'budget',
  'unknown',
  'not_entitled',
];

/** Of two errors the one that tells a caller more; the first of two that tell as much. */
export function selectMoreInformative(first: ProviderError | undefined, second: ProviderError): ProviderError {
  if (first === undefined) return second;
  return PRECEDENCE.indexOf(first.reason) <= PRECEDENCE.indexOf(second.reason) ? first : second;
}

/** A limited rate ends soonest, so it comes first; a plan changes last. */
const SKIP_PRECEDENCE: readonly ProviderError['reason'][] = ['rate_limited', 'upstream', 'not_entitled'];

/** Of the reasons why providers were skipped the one to report; of one kind the shortest wait. */
export function selectSkipError(errors: readonly ProviderError[]): ProviderError | undefined {
  const [first] = errors.toSorted(
    (a, b) =>
      SKIP_PRECEDENCE.indexOf(a.reason) - SKIP_PRECEDENCE.indexOf(b.reason) || getRetryAfter(a) - getRetryAfter(b),
  );
  return first;
}

const getRetryAfter = (error: ProviderError): number => ('retryAfter' in error ? (error.retryAfter ?? 0) : 0);
