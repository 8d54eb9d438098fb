import { readStored, writeStored } from '../../kit/browser-storage.ts';
import { createStore } from '../../kit/store.ts';
import { useStore } from '../../kit/use-store.ts';
import { callApi } from '../api/api.ts';
import { session } from '../session/session.ts';
import { navigationEntries, type NavigationEntry } from './entries.ts';

const OFFER_KEY = 'tally.watchlist';

/** Whether the member has the watchlist, from the last response in this browser. False before the first one. */
const isWatchlistOffered = createStore(readStored(OFFER_KEY) === '1');

export function setWatchlistOffered(isOffered: boolean): void {
  isWatchlistOffered.set(isOffered);
  writeStored(OFFER_KEY, isOffered ? '1' : null);
}

/** Reads once after sign-in whether the member has the watchlist. Home reads it itself. Forgets it at sign-out. */
export function followWatchlistOffer(): void {
  let member: string | null = null;
  session.state.subscribe(() => {
    const state = session.state.get();
    if (state.status === 'signed-out') {
      member = null;
      setWatchlistOffered(false);
    }
    if (state.status !== 'signed-in' || state.member.userId === member) return;
    const { userId } = state.member;
    member = userId;
    if (window.location.pathname === '/dashboard') return;
    void callApi('GET /api/dashboard').then(
      ({ cards, removed }) => {
        // Another member may have signed in since the request.
        if (member === userId) setWatchlistOffered([...cards, ...removed].some(({ id }) => id === 'watchlist'));
      },
      () => undefined,
    );
  });
}

/** Returns the destinations that the member has. */
export function useNavigationEntries(): readonly NavigationEntry[] {
  const hasWatchlist = useStore(isWatchlistOffered);
  return navigationEntries.filter(({ needsWatchlist }) => !needsWatchlist || hasWatchlist);
}
