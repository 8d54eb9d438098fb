import { readStored, writeStored } from '../../kit/browser-storage.ts';
import { closeToastsByTopic } from '../../kit/toasts.ts';
import { session } from './session.ts';
import { DEMO_TOUR_TOPIC } from './show-error-toast.ts';
import { createStore } from '../../kit/store.ts';

const TOUR_KEY = 'tally.tour';

/** Returns whether a URL requests the tour: `/dashboard?tour=1`. */
export const isTourRequested = (search: URLSearchParams): boolean => search.get('tour') === '1';

/** Whether the demo tour runs in this tab. The tour's watchlist is empty, on the Free plan, and read-only. */
export const demoTour = createStore(false);

export function setDemoTour(isOn: boolean): void {
  writeStored(TOUR_KEY, isOn ? '1' : null, 'sessionStorage');
  if (!isOn) closeToastsByTopic(DEMO_TOUR_TOPIC);
  demoTour.set(isOn);
}

/** Returns the header of every service call while the tour runs. */
export const getTourHeaders = (): Record<string, string> => (demoTour.get() ? { 'x-demo-tour': '1' } : {});

/** Continues this tab's tour or starts the tour that the URL requests. Ends the tour at sign-out. */
export function startDemoTour(): void {
  const isRequested = isTourRequested(new URLSearchParams(window.location.search));
  demoTour.set(isRequested || readStored(TOUR_KEY, 'sessionStorage') === '1');
  session.state.subscribe(() => {
    if (session.state.get().status === 'signed-out') setDemoTour(false);
  });
}
