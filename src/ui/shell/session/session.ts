import { readStored, writeStored } from '../../kit/browser-storage.ts';
import { loadConfig } from './public-config.ts';
import { eventStorage } from '../events/event-storage.ts';
import { createIdentityClient } from './identity-client.ts';
import { findCachedMember, clearMember, cacheMember } from './cached-member.ts';
import { createSession, type Member, REFRESH_AHEAD_MS, type SessionState } from './session-state.ts';
import { deleteMemberKeys } from './stored-keys.ts';
import { useStore } from '../../kit/use-store.ts';

/** Session of this tab. */
export const session = createSession(
  createIdentityClient(async () => (await loadConfig()).frontend_api_url),
  { openChannel: () => new BroadcastChannel('tally.session'), findCachedMember },
);

/** Returns the session state and re-renders on every change. */
export function useSession(): SessionState {
  return useStore(session.state);
}

/** Returns the signed-in member, including a member whose session has expired, or null. */
export function useMember(): Member | null {
  const state = useSession();
  return state.status === 'signed-in' || state.status === 'expired' ? state.member : null;
}

const SESSION_HINT_KEY = 'tally.member';

/** Returns whether a member was signed in when the page was last used. The guess avoids a flash of the wrong page. */
export function wasSignedIn(): boolean {
  return readStored(SESSION_HINT_KEY) !== null;
}

/** Synchronizes the browser's stored data about its member with the session. */
export function storeSessionHint(): void {
  session.state.subscribe(() => {
    const state = session.state.get();
    if (state.status === 'signed-in') {
      writeStored(SESSION_HINT_KEY, '1');
      cacheMember(state.member);
    }
    if (state.status !== 'signed-out') return;
    writeStored(SESSION_HINT_KEY, null);
    clearMember();
    // What a member leaves behind must not remain for the next member.
    if (state.signedOutIn === null) return;
    eventStorage.remove();
    deleteMemberKeys();
  });
}

const TOKEN_LIFETIME_MS = 60_000;

/** Renews the token while the tab is visible, so that calls never wait and an expired session is detected. */
export function startTokenRenewal(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isRenewalNeeded = (): boolean => !document.hidden && session.state.get().status === 'signed-in';
  const requestToken = (options?: { forceRefresh: boolean }): Promise<unknown> =>
    session.token(options).catch(() => undefined);
  const scheduleRenewal = (): void => {
    clearTimeout(timer);
    if (isRenewalNeeded())
      timer = setTimeout(() => {
        void requestToken({ forceRefresh: true }).then(scheduleRenewal);
      }, TOKEN_LIFETIME_MS - REFRESH_AHEAD_MS);
  };
  document.addEventListener('visibilitychange', () => {
    if (isRenewalNeeded()) void requestToken();
    scheduleRenewal();
  });
  session.state.subscribe(scheduleRenewal);
}
