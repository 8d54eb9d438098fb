import type { EventProperties } from '../../analytics/contract.ts';
import { callApi } from './api.ts';
import { session } from './session.ts';

const GATHER_MS = 1_000;
let waiting: { event: string; properties: EventProperties }[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/** Sends an event of the signed-in member to the service, with those of the same second. Never fails, never asks for a password. */
export function captureEvent(event: string, properties: EventProperties): void {
  waiting.push({ event, properties });
  timer ??= setTimeout(send, GATHER_MS);
}

function send(): void {
  timer = undefined;
  const events = waiting.slice(0, 50);
  waiting = waiting.slice(50);
  if (session.state.get().status === 'signed-in') void callApi({ method: 'POST', path: '/api/analytics/events', body: { events } }).catch(() => undefined);
  if (waiting.length > 0) timer = setTimeout(send, GATHER_MS);
}
