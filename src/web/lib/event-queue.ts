import { callApi } from './api.ts';
import { readStored, writeStored } from './browser-storage.ts';
import { ApiError } from './call-api.ts';
import type { CapturedEvent } from './capture-events.ts';
import { session } from './session.ts';

const GATHER_MS = 1_000;
/** After a failure: the service is asked again this late, or once the browser is online or an event comes. */
const RETRY_MS = 30_000;
const MOST = 200;
const KEPT_MS = 7 * 24 * 60 * 60_000;
const BATCH = 50;
/** Events in the next call: one after a refusal, so that the event that is the reason takes no other with it. */
let batch = BATCH;

let timer: ReturnType<typeof setTimeout> | undefined;
let sending = false;
/** Where storage is blocked or full, events live as long as the page. */
let inMemory: CapturedEvent[] = [];

/** Each member's events wait apart: another one who signs in here does not send them. */
function keyOfMember(): string | undefined {
  const state = session.state.get();
  return state.status === 'signed-in' || state.status === 'expired' ? `tally.events.${state.member.userId}` : undefined;
}

function readQueue(key: string): CapturedEvent[] {
  const stored = readStored(key);
  if (stored === null) return inMemory;
  try {
    return (JSON.parse(stored) as CapturedEvent[]).filter(
      ({ occurred_at }) => Date.now() - Date.parse(occurred_at) < KEPT_MS,
    );
  } catch {
    return [];
  }
}

function writeQueue(key: string, events: readonly CapturedEvent[]): void {
  const newest = events.slice(-MOST);
  writeStored(key, newest.length > 0 ? JSON.stringify(newest) : null);
  inMemory = readStored(key) === null ? newest : [];
}

/** Keeps events in this browser until the service has them, also while the page is closed. */
export function queueEvents(events: readonly CapturedEvent[]): void {
  const key = keyOfMember();
  if (key === undefined || events.length === 0) return;
  writeQueue(key, [...readQueue(key), ...events]);
  sendIn(GATHER_MS);
}

function sendIn(milliseconds: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => void send(), milliseconds);
}

/** Sends the oldest; only an answer takes events out of the queue, so that one may be sent twice, with the same id. */
async function send(): Promise<void> {
  const key = keyOfMember();
  if (key === undefined || sending || session.state.get().status !== 'signed-in') return;
  const events = readQueue(key).slice(0, batch);
  if (events.length === 0) return;
  sending = true;
  const outcome = await callApi('POST /api/analytics/events', { body: { events }, keepalive: true }).then(
    () => 'taken',
    (error: unknown) => (error instanceof ApiError && [400, 413].includes(error.status) ? 'refused' : 'away'),
  );
  sending = false;
  if (outcome === 'refused' && events.length > 1) {
    batch = 1;
    sendIn(0);
  } else if (outcome !== 'away') {
    const sent = new Set(events.map(({ id }) => id));
    writeQueue(
      key,
      readQueue(key).filter(({ id }) => !sent.has(id)),
    );
    if (readQueue(key).length > 0) sendIn(0);
    else batch = BATCH;
  } else {
    sendIn(RETRY_MS);
  }
}

// A tab that is left or closed may not come back: what waits goes at once.
document.addEventListener('visibilitychange', () => {
  if (document.hidden) void send();
});
addEventListener('online', () => void send());
