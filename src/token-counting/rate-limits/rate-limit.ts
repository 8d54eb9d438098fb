import type { SharedDecision } from '../../http/shared-limits.ts';
import type { UsageTier } from '../queries.ts';

export const WINDOW_MS = 60_000;

/** Requests in any 60 seconds for the usage tiers 1 to 4, or no limit. */
export type TierLimits = readonly [number, number, number, number] | 'off';

/** What became of a request; times in milliseconds. */
export type Decision = SharedDecision;

/** Counts requests per organisation. A refused request takes nothing. */
export interface RateLimits {
  /** `undefined`: there is no limit. A promise only where another process holds the counts; it never rejects. */
  take(organisation: string, tier: UsageTier): Decision | undefined | Promise<Decision | undefined>;
}

export const limitOf = (limits: Exclude<TierLimits, 'off'>, tier: UsageTier): number => limits[tier - 1]!;
