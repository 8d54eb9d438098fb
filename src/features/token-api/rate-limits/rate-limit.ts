import type { SharedRateLimitDecision } from '../../../platform/http/redis-rate-limiter.ts';
import type { UsageTier } from '../queries.ts';

export const WINDOW_MS = 60_000;

/** Requests in any 60 seconds for the usage tiers 1 to 4, or no limit. */
export type TierLimits = readonly [number, number, number, number] | 'off';

/** What became of a request; times in milliseconds. */
export type Decision = SharedRateLimitDecision;

/** Counts requests per organisation. A refused request takes nothing. */
export interface RateLimits {
  /** `undefined`: there is no limit. A promise only where another process holds the counts; it never rejects. */
  consume(organisation: string, tier: UsageTier): Decision | undefined | Promise<Decision | undefined>;
}

export const getLimit = (limits: Exclude<TierLimits, 'off'>, tier: UsageTier): number => limits[tier - 1]!;

/** `anthropic-ratelimit-requests-…`: limit, what is left, when all is free again (RFC 3339, up to the second). */
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

/** `2026-11-21T04:05:06Z`; requests of the same second share it. */
function formatTimestamp(second: number): string {
  if (second !== lastSecond) {
    lastSecond = second;
    lastTimestamp = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`;
  }
  return lastTimestamp;
}

/** Whole seconds after which a retry finds a place. */
export const formatRetryAfter = ({ msUntilNext }: Decision): string =>
  String(Math.max(1, Math.ceil(msUntilNext / 1000)));
