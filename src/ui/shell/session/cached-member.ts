import { readStored, writeStored } from '../../kit/browser-storage.ts';
import type { Member } from './session-state.ts';

/** Key of the member whose last figures this browser shows without a network. */
const MEMBER_KEY = 'tally.cached-member';
/** The worker's cache of the member's responses, and its entry with the member's id. See service-worker.js. */
const READS = 'tally-reads';
const OWNER = '/cached-member';
/** Wait after the sign-in is known, until the page has its files. */
const START_DELAY_MS = 3_000;

const readCachedMember = (): Member | null => JSON.parse(readStored(MEMBER_KEY) ?? 'null') as Member | null;

/** Returns the member whose last responses are cached, if the device is offline. */
export const findCachedMember = (): Member | null => (navigator.onLine ? null : readCachedMember());

/** The last change of the cache. The next one waits for it, so that a sign-out is not followed by an earlier sign-in. */
let changing: Promise<unknown> = Promise.resolve();

function changeCache(change: () => Promise<void>): void {
  // Without HTTPS a browser has no caches, and a member may have blocked its storage.
  changing = changing.then(change).catch(() => undefined);
}

/** Starts the worker that caches the member's responses. Those of another member are deleted first. */
export function cacheMember(member: Member): void {
  if (readCachedMember()?.userId !== member.userId) clearMember();
  changeCache(async () => {
    const reads = await caches.open(READS);
    await reads.put(OWNER, new Response(member.userId));
    // Written last: a page that is opened offline shows the cache to this member.
    writeStored(MEMBER_KEY, JSON.stringify(member));
  });
  // Without HTTPS a browser has no worker either. One that takes over while the page loads would fetch its files again.
  setTimeout(() => navigator.serviceWorker?.register('/service-worker.js').catch(() => undefined), START_DELAY_MS);
}

/** Deletes the cached responses with their owner. A response that arrives later is not cached. */
export function clearMember(): void {
  writeStored(MEMBER_KEY, null);
  changeCache(async () => {
    writeStored(MEMBER_KEY, null);
    await caches.delete(READS);
  });
}
