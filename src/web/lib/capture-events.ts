import type { EventProperties } from '../../analytics/contract.ts';
import { declines, isOff, keepEvent, ownKeys } from './event-storage.ts';
import { session } from './session.ts';

const GATHER_MS = 1_000;
/** Events that a page keeps at most, should the code not come that sends them and holds them to their bounds. */
const MOST = 1_000;

let sender: Promise<typeof import('./send-events.ts')> | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** A random UUID; `crypto.randomUUID` is there on https and localhost only. */
const newId = (): string =>
  '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) =>
    (Number(digit) ^ (crypto.getRandomValues(new Uint8Array(1))[0]! & (15 >> (Number(digit) / 4)))).toString(16),
  );

/**
 * Keeps an event of the signed-in member in this browser until the service has it. Never fails, never waits. The code
 * that sends travels a second after the first event, behind what the page needs; where it does not arrive, the next
 * event asks for it again.
 */
export function captureEvent(event: string, properties: EventProperties): void {
  const state = session.state.get();
  if (!('member' in state) || declines() || isOff(state.member.userId) || ownKeys.size >= MOST) return;
  keepEvent(state.member.userId, { id: newId(), occurred_at: new Date().toISOString(), event, properties });
  timer ??= setTimeout(send, GATHER_MS);
}

function send(): void {
  timer = undefined;
  sender ??= import('./send-events.ts');
  void sender.then(
    ({ sendKept }) => sendKept(),
    () => (sender = undefined),
  );
}
