import type { Tier, UpgradeEntry } from '../contract.ts';
import { tierNames } from './plan-labels.ts';

const upgradeReasons: Readonly<Record<UpgradeEntry, string>> = {
  watchlist_limit: 'Your watchlist is full. To add more tickers, upgrade or remove one.',
  watchlist_locked:
    'Tickers beyond your plan’s limit are locked, not deleted. They keep their order and unlock when a plan ' +
    'covers them.',
};

/** Parses the entry source of an upgrade. Returns null for an unknown entry or none. */
export function parseEntry(text: string | null): UpgradeEntry | null {
  return text !== null && Object.hasOwn(upgradeReasons, text) ? (text as UpgradeEntry) : null;
}

/** Returns the text below the heading: the reason of the visit, if known. */
export const getUpgradeReason = (entry: UpgradeEntry | null): string =>
  entry ? upgradeReasons[entry] : 'Plans differ only in how many tickers you can follow.';

const TIERS: readonly Tier[] = ['free', 'pro', 'max'];

/** Compares two plans. Returns a positive number if the first is larger. */
export const compareTiers = (a: Tier, b: Tier): number => TIERS.indexOf(a) - TIERS.indexOf(b);

/** Returns the larger of a paid plan and the operator's grant, which is the plan that the member has. */
const getEffectiveTier = (paid: Tier, granted: Tier | null): Tier =>
  granted && compareTiers(granted, paid) > 0 ? granted : paid;

/** Describes the plan after the subscription has ended: `you are on Pro, complimentary, from then on`. */
const describePlanAfterEnd = (granted: Tier | null): string =>
  granted ? `you are on ${tierNames[granted]}, complimentary, from then on` : 'you are on Free from then on';

/** Describes what a cancelled plan becomes: `Dec 30, 2026; you are on Free from then on, and your saved data is kept.` */
export const describeEnd = (day: string, granted: Tier | null): string =>
  `${day}; ${describePlanAfterEnd(granted)}, and your saved data is kept.`;

/** Describes a scheduled smaller plan: `Pro on Nov 21, 2026`. A larger grant leaves the member's plan as it is. */
export function describePendingPlan(pending: Tier, day: string, granted: Tier | null): string {
  const next = getEffectiveTier(pending, granted);
  if (next === pending) return `${tierNames[pending]} on ${day}`;
  return `${tierNames[pending]} on ${day}; you stay on ${tierNames[next]}, complimentary`;
}

/** Describes the effects of a cancellation of `paid`, whose period ends on `day`. */
export function describeCancellation(paid: Tier, day: string, granted: Tier | null): string {
  const next = granted ?? 'free';
  if (compareTiers(next, paid) >= 0)
    return `Payments end on ${day}. You stay on ${tierNames[next]}, complimentary, and nothing more is charged.`;
  const change = granted ? `you are on ${tierNames[granted]}, complimentary: ` : '';
  return (
    `You keep ${tierNames[paid]} until ${day}. After that, ${change}tickers beyond the limit of ${tierNames[next]} ` +
    'are locked, not deleted, and nothing more is charged.'
  );
}
