import type { UsageTier } from '../queries.ts';

export const WINDOW_MS = 60_000;

/** Requests in any 60 seconds for the usage tiers 1 to 4, or no limit. */
export type TierLimits = readonly [number, number, number, number] | 'off';

export interface Decision {
  allowed: boolean;
  limit: number;
  /** Requests left in the window that ends now. */
  remaining: number;
  /** Milliseconds until the whole limit is free again. */
  untilAll: number;
  /** Milliseconds until one request is free; 0 where one is. */
  untilNext: number;
}

/** Counts requests per organisation. A refused request takes nothing. */
export interface RateLimits {
  /** `undefined`: there is no limit. A promise only where another process holds the counts; it never rejects. */
  take(organisation: string, tier: UsageTier): Decision | undefined | Promise<Decision | undefined>;
  close(): Promise<void>;
}

export const limitOf = (limits: Exclude<TierLimits, 'off'>, tier: UsageTier): number => limits[tier - 1]!;
