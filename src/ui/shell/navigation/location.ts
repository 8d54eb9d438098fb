import { createStore } from '../../kit/store.ts';
import { useStore } from '../../kit/use-store.ts';

/** Where the browser is. */
export interface Place {
  path: string;
  search: string;
}

const read = (): Place => ({ path: window.location.pathname, search: window.location.search });

const place = createStore<Place>({ path: '/', search: '' });

/** Reads the address, and follows it when the browser goes back or forward. */
export function startNavigation(): void {
  place.set(read());
  addEventListener('popstate', () => place.set(read()));
}

/** Where the browser is, rendered again on every navigation. */
export function usePlace(): Place {
  return useStore(place);
}

/** The query of the address, read. */
export function useSearch(): URLSearchParams {
  return new URLSearchParams(usePlace().search);
}

/** Goes to a page without a reload. `keepScroll` is for a change of the query that leaves the page as it is. */
export function navigate(
  to: string,
  { replace = false, keepScroll = false }: { replace?: boolean; keepScroll?: boolean } = {},
): void {
  const url = new URL(to, window.location.href);
  history[replace ? 'replaceState' : 'pushState'](null, '', url);
  place.set(read());
  if (!keepScroll) scrollTo(0, 0);
}

/** Reloads a page from the server, for what the running code cannot repair. */
export function reload(): void {
  window.location.reload();
}
