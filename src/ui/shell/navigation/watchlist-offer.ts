import { readStored, writeStored } from '../../kit/browser-storage.ts';
import { createStore } from '../../kit/store.ts';
import { useStore } from '../../kit/use-store.ts';
import { callApi } from '../api/api.ts';
import { session } from '../session/session.ts';
import { navigationEntries, type NavigationEntry } from './entries.ts';

const OFFER_KEY = 'tally.watchlist';

const storedOffers: Readonly<Record<string, boolean>> = { '1': true, '0': false };

/** Whether the member has the watchlist, from the last response in this browser. Null before the first one. */
const isWatchlistOffered = createStore<boolean | null>(storedOffers[readStored(OFFER_KEY) ?? ''] ?? null);

export function setWatchlistOffered(isOffered: boolean): void {
  isWatchlistOffered.set(isOffered);
  writeStored(OFFER_KEY, isOffered ? '1' : '0');
}

/** Shows the other destinations when the first response fails. A known offer remains. */
export function setWatchlistUnknown(): void {
  if (isWatchlistOffered.get() === null) isWatchlistOffered.set(false);
}

function forgetWatchlistOffer(): void {
  isWatchlistOffered.set(null);
  writeStored(OFFER_KEY, null);
}

/** Reads once after sign-in whether the member has the watchlist. Home reads it itself. Forgets it at sign-out. */
export function followWatchlistOffer(): void {
  let member: string | null = null;
  session.state.subscribe(() => {
    const state = session.state.get();
    if (state.status === 'signed-out') {
      member = null;
      forgetWatchlistOffer();
    }
    if (state.status !== 'signed-in' || state.member.userId === member) return;
    const { userId } = state.member;
    member = userId;
    if (window.location.pathname === '/dashboard') return;
    void callApi('GET /api/dashboard').then(({ cards, removed }) => {
      // Another member may have signed in since the request.
      if (member === userId) setWatchlistOffered([...cards, ...removed].some(({ id }) => id === 'watchlist'));
    }, setWatchlistUnknown);
  });
}

/** Returns the destinations that the member has. */
export function useNavigationEntries(): readonly NavigationEntry[] {
  const hasWatchlist = useStore(isWatchlistOffered);
  return navigationEntries.filter(({ needsWatchlist }) => !needsWatchlist || hasWatchlist === true);
}

/** Class that hides the destinations until they are known, since a late one would move its neighbors. */
export const useNavigationClass = (): string => (useStore(isWatchlistOffered) === null ? 'invisible' : '');
