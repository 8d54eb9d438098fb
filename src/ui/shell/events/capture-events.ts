import type { EventProperties } from '../../../platform/analytics/contract.ts';
import { hasDoNotTrack, isConsentOff } from './consent.ts';
import type { EventQueue } from './event-queue.ts';
import { eventStorage } from './event-storage.ts';
import { isSampleUser } from '../session/sample-user.ts';
import { session } from '../session/session.ts';

/** Delay in ms before the sender is loaded, and before a failed load is repeated. The page's own code loads first. */
const LOAD_DELAY_MS = 1_000;
const LOAD_RETRY_INTERVAL_MS = 30_000;
/** Maximum events that a page stores before the sender, which enforces the limits, is loaded. */
const MAX_EARLY_EVENTS = 200;

let queue: EventQueue | undefined;
let earlyEventCount = 0;
let isLoadScheduled = false;

/** Returns a random UUID. `crypto.randomUUID` exists only on https and localhost. */
const createId = (): string =>
  '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) =>
    (Number(digit) ^ (crypto.getRandomValues(new Uint8Array(1))[0]! & (15 >> (Number(digit) / 4)))).toString(16),
  );

/**
 * Captures an event of the signed-in member and stores it in this browser until the service confirms it. Never throws
 * and never waits. The sender (`send-events.ts`) loads one second after the first event, because the member may leave
 * the page before.
 */
export function captureEvent(event: string, properties: EventProperties): void {
  const state = session.state.get();
  if (!('member' in state) || hasDoNotTrack() || isConsentOff(state.member.userId)) return;
  // Visitors share the sample user, and the service accepts no writes of it.
  if (isSampleUser(state.member)) return;
  if (!queue) {
    if (earlyEventCount >= MAX_EARLY_EVENTS) return;
    earlyEventCount += 1;
  }
  eventStorage.add(state.member.userId, { id: createId(), occurred_at: new Date().toISOString(), event, properties });
  if (queue) return queue.flushSoon();
  if (!isLoadScheduled) setTimeout(startLoading, LOAD_DELAY_MS);
  isLoadScheduled = true;
}

/** `await` is required: the build makes a `then` after `import()` part of the import and would miss a failure. */
async function loadQueue(): Promise<void> {
  try {
    const { startEventQueue } = await import('./send-events.ts');
    queue = startEventQueue();
    queue.flushSoon();
  } catch {
    setTimeout(startLoading, LOAD_RETRY_INTERVAL_MS);
  }
}

function startLoading(): void {
  void loadQueue();
}
