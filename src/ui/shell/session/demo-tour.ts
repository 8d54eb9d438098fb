import { readStored, writeStored } from '../../kit/browser-storage.ts';
import { closeToastsByTopic } from '../../kit/toasts.ts';
import { session } from './session.ts';
import { DEMO_TOUR_TOPIC } from './show-error-toast.ts';
import { createStore } from '../../kit/store.ts';

const TOUR_KEY = 'tally.tour';

/** Whether an address asks for the tour: `/dashboard?tour=1`. */
export const isTourRequested = (search: URLSearchParams): boolean => search.get('tour') === '1';

/** Whether the demo tour runs in this tab: its watchlist is empty, on the Free plan, and edits to it are refused. */
export const demoTour = createStore(false);

export function setDemoTour(isOn: boolean): void {
  writeStored(TOUR_KEY, isOn ? '1' : null, 'sessionStorage');
  if (!isOn) closeToastsByTopic(DEMO_TOUR_TOPIC);
  demoTour.set(isOn);
}

/** What every call of the service carries while the tour runs. */
export const getTourHeaders = (): Record<string, string> => (demoTour.get() ? { 'x-demo-tour': '1' } : {});

/** Continues a tour of this tab or begins the one that the address asks for; ends it at sign-out. */
export function startDemoTour(): void {
  const isRequested = isTourRequested(new URLSearchParams(window.location.search));
  demoTour.set(isRequested || readStored(TOUR_KEY, 'sessionStorage') === '1');
  session.state.subscribe(() => {
    if (session.state.get().status === 'signed-out') setDemoTour(false);
  });
}
