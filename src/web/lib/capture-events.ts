import type { EventProperties } from '../../analytics/contract.ts';
import { callApi } from './api.ts';
import { session } from './session.ts';

const GATHER_MS = 1_000;
let waiting: { event: string; properties: EventProperties }[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/** Sends an event of the signed-in member to the service, with those of the same second. Never fails, never asks for
 * a password. */
export function captureEvent(event: string, properties: EventProperties): void {
  waiting.push({ event, properties });
  timer ??= setTimeout(send, GATHER_MS);
}

// A tab that is left or closed may not come back: what waits goes at once.
document.addEventListener('visibilitychange', () => {
  if (document.hidden && waiting.length > 0) send();
});

function send(): void {
  clearTimeout(timer);
  timer = undefined;
  const events = waiting.slice(0, 50);
  waiting = waiting.slice(50);
  if (session.state.get().status === 'signed-in')
    void callApi('POST /api/analytics/events', { body: { events }, keepalive: true }).catch(() => undefined);
  if (waiting.length > 0) timer = setTimeout(send, GATHER_MS);
}
