import type { EventProperties } from '../../analytics/contract.ts';

/** An event with the id and the time that it keeps until the service has it. */
export interface CapturedEvent {
  id: string;
  occurred_at: string;
  event: string;
  properties: EventProperties;
}

let waiting: CapturedEvent[] = [];

/** Whether the browser asks not to be followed. */
const declines = (): boolean =>
  (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl === true || navigator.doNotTrack === '1';

/**
 * Queues an event of the signed-in member until the service has it. Never fails, never asks for a password. The queue
 * travels with the first event, behind what the page needs; where it did not arrive, the next event asks again.
 */
export function captureEvent(event: string, properties: EventProperties): void {
  if (declines()) return;
  waiting.push({ id: crypto.randomUUID(), occurred_at: new Date().toISOString(), event, properties });
  void import('./event-queue.ts').then(
    ({ queueEvents }) => {
      queueEvents(waiting);
      waiting = [];
    },
    () => undefined,
  );
}
