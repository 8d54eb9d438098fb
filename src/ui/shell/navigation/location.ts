import { createStore } from '../../kit/store.ts';
import { useStore } from '../../kit/use-store.ts';

/** Where the browser is. */
export interface RouteLocation {
  path: string;
  search: string;
}

const readLocation = (): RouteLocation => ({ path: window.location.pathname, search: window.location.search });

const currentLocation = createStore<RouteLocation>({ path: '/', search: '' });

/** Reads the address, and follows it when the browser goes back or forward. */
export function startNavigation(): void {
  currentLocation.set(readLocation());
  addEventListener('popstate', () => currentLocation.set(readLocation()));
}

/** Where the browser is, rendered again on every navigation. */
export function useLocation(): RouteLocation {
  return useStore(currentLocation);
}

/** The query of the address, read. */
export function useSearchParams(): URLSearchParams {
  return new URLSearchParams(useLocation().search);
}

/** Goes to a page without a reload. `keepScroll` is for a change of the query that leaves the page as it is. */
export function navigate(
  to: string,
  { replace = false, keepScroll = false }: { replace?: boolean; keepScroll?: boolean } = {},
): void {
  const url = new URL(to, window.location.href);
  history[replace ? 'replaceState' : 'pushState'](null, '', url);
  currentLocation.set(readLocation());
  if (!keepScroll) scrollTo(0, 0);
}

/** Reloads a page from the server, for what the running code cannot repair. */
export function reload(): void {
  window.location.reload();
}
