import type { Rate } from '../../../platform/http/rate-limit.ts';
import type { SharedRateLimitDecision } from '../../../platform/http/redis-rate-limiter.ts';
import type { UsageTier } from '../queries.ts';

export const WINDOW_MS = 60_000;

/** Requests per 60 seconds for the usage tiers 1 to 4, or `off` for no limit. */
export type TierLimits = readonly [number, number, number, number] | 'off';

/** The decision about a request. Times are in ms. */
export type Decision = SharedRateLimitDecision;

/** Counts requests per organization. A rejected request does not count. */
export interface RateLimits {
  readonly rates: readonly Rate[];
  /**
   * Decides about a request. Returns `undefined` if there is no limit. Returns a promise only if Redis holds the
   * counts. The promise never rejects.
   */
  consume(organisation: string, tier: UsageTier): Decision | undefined | Promise<Decision | undefined>;
}

export const getLimit = (limits: Exclude<TierLimits, 'off'>, tier: UsageTier): number => limits[tier - 1]!;

/** Returns the rate of each usage tier, none without a limit. */
export const listRates = (limits: TierLimits): Rate[] =>
  limits === 'off' ? [] : limits.map((limit) => ({ limit, windowMs: WINDOW_MS }));

/**
 * Adds `anthropic-ratelimit-requests-…`: the limit, the remaining requests and the reset time (RFC 3339, rounded up to
 * the second).
 */
export function addRateLimitHeaders(headers: string[], { limit, remaining, msUntilReset: msUntilAll }: Decision): void {
  headers.push(
    'anthropic-ratelimit-requests-limit',
    String(limit),
    'anthropic-ratelimit-requests-remaining',
    String(remaining),
    'anthropic-ratelimit-requests-reset',
    formatTimestamp(Math.ceil((Date.now() + msUntilAll) / 1000)),
  );
}

let lastSecond = 0;
let lastTimestamp = '';

/** Returns a timestamp such as `2026-11-21T04:05:06Z`. Requests of one second share the text. */
function formatTimestamp(second: number): string {
  if (second !== lastSecond) {
    lastSecond = second;
    lastTimestamp = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`;
  }
  return lastTimestamp;
}

/** Returns the whole seconds until a retry is allowed. */
export const formatRetryAfter = ({ msUntilNext }: Decision): string =>
  String(Math.max(1, Math.ceil(msUntilNext / 1000)));
