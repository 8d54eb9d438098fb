import {
  followNavigation,
  isEntryOfDialog,
  pushEntry,
  releaseEntry,
  startDialogHistory,
} from '../../kit/dialog-history.ts';
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
  startDialogHistory();
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

/**
 * Navigates to a page without a reload. `replace` adds no entry to the history. `keepScroll` is for a change of the query
 * only.
 */
export function navigate(
  to: string,
  { replace = false, keepScroll = false }: { replace?: boolean; keepScroll?: boolean } = {},
): void {
  const url = new URL(to, window.location.href);
  // A panel keeps its entry while its address changes. A page takes the place of a dialog that opened it.
  if (replace && url.pathname === window.location.pathname) history.replaceState(history.state, '', url);
  else history[replace || isEntryOfDialog() ? 'replaceState' : 'pushState'](null, '', url);
  followNavigation();
  currentLocation.set(readLocation());
  if (!keepScroll) scrollTo(0, 0);
}

/** Opens the panel of an address over the current page. Back closes it. */
export function openPanel(to: string): void {
  pushEntry({ panel: true }, new URL(to, window.location.href).href);
  currentLocation.set(readLocation());
}

/** Closes the panel of the current address. Back then leads to what was before the panel, not into it again. */
export function closePanel(to: string): void {
  releaseEntry(to);
  currentLocation.set(readLocation());
}

/** Reloads the page from the server, for errors that the running code cannot recover from. */
export function reload(): void {
  window.location.reload();
}
