import { readStored, writeStored } from '../../kit/browser-storage.ts';
import { loadConfig } from './config.ts';
import { eventStorage } from '../events/event-storage.ts';
import { createIdentityClient } from './identity-client.ts';
import { createSession, type Member, REFRESH_AHEAD_MS, type SessionState } from './session-state.ts';
import { useStore } from '../../kit/use-store.ts';

/** The session of this tab. */
export const session = createSession(
  createIdentityClient(async () => (await loadConfig()).frontend_api_url),
  { openChannel: () => new BroadcastChannel('tally.session') },
);

/** Who is signed in, rendered again on every change. */
export function useSession(): SessionState {
  return useStore(session.state);
}

/** The signed-in member, also while their ended session waits to be renewed; null otherwise. */
export function useMember(): Member | null {
  const state = useSession();
  return state.status === 'signed-in' || state.status === 'expired' ? state.member : null;
}

const HINT = 'tally.member';

/** Whether a member was signed in here when the page was last used: a guess that avoids a flash of the wrong page. */
export function wasSignedIn(): boolean {
  return readStored(HINT) !== null;
}

/** Keeps what this browser stores about its member in step with the session. */
export function storeSessionHint(): void {
  session.state.subscribe(() => {
    const state = session.state.get();
    if (state.status === 'signed-in') writeStored(HINT, '1');
    if (state.status !== 'signed-out') return;
    writeStored(HINT, null);
    // What a member who leaves did is not kept for the next one.
    if (state.how !== 'never') eventStorage.remove();
  });
}

const TOKEN_LIFE_MS = 60_000;

/** Keeps a token at hand while the tab is looked at, so that calls never wait and an ended session is noticed. */
export function keepSessionFresh(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isNeeded = (): boolean => !document.hidden && session.state.get().status === 'signed-in';
  const ask = (options?: { fresh: boolean }): Promise<unknown> => session.token(options).catch(() => undefined);
  const renew = (): void => {
    clearTimeout(timer);
    if (isNeeded()) timer = setTimeout(() => void ask({ fresh: true }).then(renew), TOKEN_LIFE_MS - REFRESH_AHEAD_MS);
  };
  document.addEventListener('visibilitychange', () => {
    if (isNeeded()) void ask();
    renew();
  });
  session.state.subscribe(renew);
}
