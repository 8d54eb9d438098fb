import type { UpgradeEntry } from './contract.ts';

/** How entry sources are called in reports, and which way of conversion they belong to. */
const KNOWN: Readonly<Record<UpgradeEntry, { label: string; bucket: string }>> = {
  watchlist_limit: { label: 'Watchlist · Full', bucket: 'proactive_watchlist' },
  watchlist_locked: { label: 'Watchlist · Locked after downgrade', bucket: 'proactive_watchlist' },
};

const isKnown = (entry: string | null): entry is UpgradeEntry => entry !== null && Object.hasOwn(KNOWN, entry);

export const labelOf = (entry: string | null): string => (isKnown(entry) ? KNOWN[entry].label : 'Other');
export const bucketOf = (entry: string | null): string => (isKnown(entry) ? KNOWN[entry].bucket : 'other');
