import { readStoredKeys, writeStored } from '../../kit/browser-storage.ts';

/** Beginnings of the keys of what this browser stores about a member and no module of its own deletes. */
export const memberKeys: readonly string[] = [
  'tally.card-height.',
  'tally.cards',
  'tally.first-run.1.',
  'tally.last-import.1.',
  'tally.was-empty.1.',
];

/** Deletes what this browser stores about members, except how they sort lists. */
export function deleteMemberKeys(): void {
  for (const key of readStoredKeys())
    if (memberKeys.some((beginning) => key.startsWith(beginning))) writeStored(key, null);
}
