import type { EventProperties } from '../../../platform/analytics/contract.ts';
import { hasDoNotTrack, isConsentOff } from './consent.ts';
import type { EventQueue } from './event-queue.ts';
import { eventStorage } from './event-storage.ts';
import { session } from '../session/session.ts';

/** Behind what the page needs first; and again so much later where it did not arrive. */
const LOAD_DELAY_MS = 1_000;
const LOAD_RETRY_INTERVAL_MS = 30_000;
/** Events that a page keeps before the code has come that holds them to their bounds. */
const MAX_EARLY_EVENTS = 200;

let queue: EventQueue | undefined;
let earlyEventCount = 0;
let isLoadScheduled = false;

/** A random UUID; `crypto.randomUUID` is there on https and localhost only. */
const createId = (): string =>
  '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) =>
    (Number(digit) ^ (crypto.getRandomValues(new Uint8Array(1))[0]! & (15 >> (Number(digit) / 4)))).toString(16),
  );

/**
 * Captures an event of the signed-in member, which this browser keeps until the service has it. Never fails, never
 * waits. The code that sends (`send-events.ts`) travels a second after a page's first event, which may be left before.
 */
export function captureEvent(event: string, properties: EventProperties): void {
  const state = session.state.get();
  if (!('member' in state) || hasDoNotTrack() || isConsentOff(state.member.userId)) return;
  if (!queue && earlyEventCount++ >= MAX_EARLY_EVENTS) return;
  eventStorage.add(state.member.userId, { id: createId(), occurred_at: new Date().toISOString(), event, properties });
  if (queue) return queue.flushSoon();
  if (!isLoadScheduled) setTimeout(() => void loadQueue(), LOAD_DELAY_MS);
  isLoadScheduled = true;
}

/** With `await`: the build takes a `then` behind `import()` into what it waits for, so a failure would pass it by. */
async function loadQueue(): Promise<void> {
  try {
    const { startEventQueue } = await import('./send-events.ts');
    queue = startEventQueue();
    queue.flushSoon();
  } catch {
    setTimeout(() => void loadQueue(), LOAD_RETRY_INTERVAL_MS);
  }
}
