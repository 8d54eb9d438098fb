import { readStored, writeStored } from '../../kit/browser-storage.ts';
import { loadConfig } from './public-config.ts';
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

const SESSION_HINT_KEY = 'tally.member';

/** Whether a member was signed in here when the page was last used: a guess that avoids a flash of the wrong page. */
export function wasSignedIn(): boolean {
  return readStored(SESSION_HINT_KEY) !== null;
}

/** Keeps what this browser stores about its member in step with the session. */
export function storeSessionHint(): void {
  session.state.subscribe(() => {
    const state = session.state.get();
    if (state.status === 'signed-in') writeStored(SESSION_HINT_KEY, '1');
    if (state.status !== 'signed-out') return;
    writeStored(SESSION_HINT_KEY, null);
    // What a member who leaves did is not kept for the next one.
    if (state.signedOutIn !== 'never') eventStorage.remove();
  });
}

const TOKEN_LIFETIME_MS = 60_000;

/** Keeps a token at hand while the tab is looked at, so that calls never wait and an ended session is noticed. */
export function startTokenRenewal(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isRenewalNeeded = (): boolean => !document.hidden && session.state.get().status === 'signed-in';
  const requestToken = (options?: { forceRefresh: boolean }): Promise<unknown> =>
    session.token(options).catch(() => undefined);
  const scheduleRenewal = (): void => {
    clearTimeout(timer);
    if (isRenewalNeeded())
      timer = setTimeout(
        () => void requestToken({ forceRefresh: true }).then(scheduleRenewal),
        TOKEN_LIFETIME_MS - REFRESH_AHEAD_MS,
      );
  };
  document.addEventListener('visibilitychange', () => {
    if (isRenewalNeeded()) void requestToken();
    scheduleRenewal();
  });
  session.state.subscribe(scheduleRenewal);
}
