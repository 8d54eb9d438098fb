import type { UpgradeEntry } from './contract.ts';

/** Labels and conversion buckets of entry sources in reports. */
const SOURCE_BY_ENTRY: Readonly<Record<UpgradeEntry, { label: string; bucket: string }>> = {
  watchlist_limit: { label: 'Watchlist · Full', bucket: 'proactive_watchlist' },
  watchlist_locked: { label: 'Watchlist · Locked after downgrade', bucket: 'proactive_watchlist' },
};

const isKnownEntry = (entry: string | null): entry is UpgradeEntry =>
  entry !== null && Object.hasOwn(SOURCE_BY_ENTRY, entry);

export const getSourceLabel = (entry: string | null): string =>
  isKnownEntry(entry) ? SOURCE_BY_ENTRY[entry].label : 'Other';
export const getSourceBucket = (entry: string | null): string =>
  isKnownEntry(entry) ? SOURCE_BY_ENTRY[entry].bucket : 'other';
