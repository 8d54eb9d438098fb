import { readStored, writeStored } from '../../kit/browser-storage.ts';
import { closeToastsAbout } from '../../kit/toasts.ts';
import { session } from './session.ts';
import { DEMO_TOUR } from './show-error-toast.ts';
import { createStore } from '../../kit/store.ts';

const KEY = 'tally.tour';

/** Whether an address asks for the tour: `/dashboard?tour=1`. */
export const asksForTour = (search: URLSearchParams): boolean => search.get('tour') === '1';

/** Whether the demo tour runs in this tab: its watchlist is empty, on the Free plan, and edits to it are refused. */
export const demoTour = createStore(false);

export function setDemoTour(on: boolean): void {
  writeStored(KEY, on ? '1' : null, 'sessionStorage');
  if (!on) closeToastsAbout(DEMO_TOUR);
  demoTour.set(on);
}

/** What every call of the service carries while the tour runs. */
export const tourHeaders = (): Record<string, string> => (demoTour.get() ? { 'x-demo-tour': '1' } : {});

/** Continues a tour of this tab or begins the one that the address asks for; ends it at sign-out. */
export function startDemoTour(): void {
  const isAsked = asksForTour(new URLSearchParams(window.location.search));
  demoTour.set(isAsked || readStored(KEY, 'sessionStorage') === '1');
  session.state.subscribe(() => {
    if (session.state.get().status === 'signed-out') setDemoTour(false);
  });
}
