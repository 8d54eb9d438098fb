import { makeOnce } from '../../kit/make-once.ts';
import { createSend } from '../api/call-api.ts';
import { SessionEndedError } from '../session/session-state.ts';
import { session } from '../session/session.ts';
import { EventQueue, type EventTransport } from './event-queue.ts';
import { eventStorage } from './event-storage.ts';

/** An expired session is not renewed for events, so that no password prompt appears. */
const send = createSend({
  token: (options) => session.token(options),
  waitForReauthentication: () => Promise.reject(new SessionEndedError()),
});

const transport: EventTransport = {
  isEnabled: async () => (await (await send('GET /api/analytics/choice')).json()).enabled,
  post: async (events) => {
    await send('POST /api/analytics/events', { body: { events: [...events] }, keepalive: true });
  },
};

function getMember(): string | undefined {
  const state = session.state.get();
  return state.status === 'signed-in' ? state.member.userId : undefined;
}

function getOwner(): string | undefined {
  const state = session.state.get();
  return 'member' in state ? state.member.userId : undefined;
}

/** Starts the event queue: sends queued events at once, and whenever sending becomes possible again. */
export const startEventQueue = makeOnce((): EventQueue => {
  const queue = new EventQueue({ storage: eventStorage, transport, getMember, getOwner });
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) queue.flushOnHide();
  });
  addEventListener('pagehide', () => queue.flushOnHide());
  addEventListener('online', () => {
    void queue.flush();
  });
  // A restored network or a renewed session sends the remaining events.
  session.state.subscribe(() => {
    if (getMember() !== undefined) void queue.flush();
  });
  return queue;
});
