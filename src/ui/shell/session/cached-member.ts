import { readStored, writeStored } from '../../kit/browser-storage.ts';
import type { Member } from './session-state.ts';

/** Key of the member whose last figures this browser shows without a network. */
const MEMBER_KEY = 'tally.cached-member';
/** The worker's cache of the member's responses. */
const READS = 'tally-reads';
/** Wait after the sign-in is known, until the page has its files. */
const START_DELAY_MS = 3_000;

const readCachedMember = (): Member | null => JSON.parse(readStored(MEMBER_KEY) ?? 'null') as Member | null;

/** Returns the member whose last responses are cached, if the device is offline. */
export const findCachedMember = (): Member | null => (navigator.onLine ? null : readCachedMember());

/** Starts the worker that caches the member's responses. Those of another member are deleted first. */
export function cacheMember(member: Member): void {
  if (readCachedMember()?.userId !== member.userId) clearMember();
  writeStored(MEMBER_KEY, JSON.stringify(member));
  // Without HTTPS a browser has no worker, and a member may have blocked its storage. A worker that takes over while the
  // page loads would fetch its files again.
  setTimeout(() => navigator.serviceWorker?.register('/service-worker.js').catch(() => undefined), START_DELAY_MS);
}

/** Deletes the cached responses, here and in the worker, which may be about to cache another. */
export function clearMember(): void {
  writeStored(MEMBER_KEY, null);
  navigator.serviceWorker?.controller?.postMessage('clear-member');
  void globalThis.caches?.delete(READS);
}
