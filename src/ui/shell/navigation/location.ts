import { createStore } from '../../kit/store.ts';
import { useStore } from '../../kit/use-store.ts';

/** Current location of the browser. */
export interface RouteLocation {
  path: string;
  search: string;
}

const readLocation = (): RouteLocation => ({ path: window.location.pathname, search: window.location.search });

const currentLocation = createStore<RouteLocation>({ path: '/', search: '' });

/** Reads the URL and follows back and forward navigation. */
export function startNavigation(): void {
  currentLocation.set(readLocation());
  addEventListener('popstate', () => currentLocation.set(readLocation()));
}

/** Returns the current location and re-renders on every navigation. */
export function useLocation(): RouteLocation {
  return useStore(currentLocation);
}

/** Returns the parsed query of the URL. */
export function useSearchParams(): URLSearchParams {
  return new URLSearchParams(useLocation().search);
}

/** Navigates to a page without a reload. `keepScroll` is for a change of the query only. */
export function navigate(
  to: string,
  { replace = false, keepScroll = false }: { replace?: boolean; keepScroll?: boolean } = {},
): void {
  const url = new URL(to, window.location.href);
  history[replace ? 'replaceState' : 'pushState'](null, '', url);
  currentLocation.set(readLocation());
  if (!keepScroll) scrollTo(0, 0);
}

/** Reloads the page from the server, for errors that the running code cannot recover from. */
export function reload(): void {
  window.location.reload();
}
