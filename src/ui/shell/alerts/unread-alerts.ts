import { createStore } from '../../kit/store.ts';
import { makeOnce } from '../../kit/make-once.ts';
import { callApi } from '../api/api.ts';
import { followChanges, getMemberId } from '../api/tab-sync.ts';

/** Interval in ms at which an open tab looks for fired alerts. A hidden tab looks when it is shown. */
const POLL_MS = 60_000;

/** Number of fired alerts that the member has not seen, and 0 until it is known. */
export const unreadAlerts = createStore(0);

/** Reads the number of fired alerts. A failed read keeps the last number until the next one. */
export async function readUnreadAlerts(): Promise<void> {
  const member = getMemberId();
  if (document.hidden || member === null) return;
  const response = await callApi('GET /api/alerts/unread').catch(() => null);
  if (response && member === getMemberId()) unreadAlerts.set(response.unread_count);
}

const readInBackground = (): void => {
  void readUnreadAlerts();
};

const followOtherTabs = makeOnce(() => followChanges(readInBackground));

/** Keeps the number up to date. Returns a function that stops and forgets it. */
export function followUnreadAlerts(): () => void {
  readInBackground();
  followOtherTabs();
  const timer = setInterval(readInBackground, POLL_MS);
  document.addEventListener('visibilitychange', readInBackground);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', readInBackground);
    unreadAlerts.set(0);
  };
}
