import type { Decision } from '../rate-limits/rate-limit.ts';

/** `anthropic-ratelimit-requests-…`: the limit, what is left of it, and when all of it is free again (RFC 3339,
 * rounded up to the second). */
export function addRateLimitHeaders(headers: string[], { limit, remaining, untilAll }: Decision): void {
  headers.push(
    'anthropic-ratelimit-requests-limit',
    String(limit),
    'anthropic-ratelimit-requests-remaining',
    String(remaining),
    'anthropic-ratelimit-requests-reset',
    timestamp(Math.ceil((Date.now() + untilAll) / 1000)),
  );
}

let lastSecond = 0;
let lastText = '';

/** `2026-11-21T04:05:06Z`; requests of the same second share it. */
function timestamp(second: number): string {
  if (second !== lastSecond) {
    lastSecond = second;
    lastText = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`;
  }
  return lastText;
}

/** Whole seconds after which a retry finds a place. */
export const retryAfter = ({ untilNext }: Decision): string => String(Math.max(1, Math.ceil(untilNext / 1000)));
