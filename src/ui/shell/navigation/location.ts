import {
  followNavigation,
  isEntryOfDialog,
  pushEntry,
  releaseEntry,
  startDialogHistory,
} from '../../kit/dialog-history.ts';
import { askBeforeLeaving } from '../../kit/leave-guard.ts';
import { createStore } from '../../kit/store.ts';
import { restorePosition, startAtTop, startScrollPositions } from './scroll-positions.ts';
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
  startScrollPositions();
  const page = readPage() ?? createPage();
  history.replaceState({ ...(history.state as object | null), page }, '');
  startDialogHistory();
  restorePosition(page);
  addEventListener('popstate', () => {
    currentLocation.set(readLocation());
    const shownPage = readPage();
    if (shownPage !== undefined) restorePosition(shownPage);
  });
}

/** Returns the key of the page in the current entry of the history. */
const readPage = (): string | undefined => (history.state as { page?: string } | null)?.page;

let pageCount = 0;

/** Returns a new key for an entry of the history. */
function createPage(): string {
  pageCount += 1;
  return `${performance.timeOrigin} ${pageCount}`;
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
  const isLeaving = !replace && url.pathname !== window.location.pathname;
  if (isLeaving && askBeforeLeaving(() => navigate(to))) return;
  // A panel keeps its entry while its address changes. A page takes the place of a dialog that opened it.
  const isSamePage = keepScroll || (replace && url.pathname === window.location.pathname);
  const page = (isSamePage ? readPage() : undefined) ?? createPage();
  if (replace && url.pathname === window.location.pathname) history.replaceState(history.state, '', url);
  else history[replace || isEntryOfDialog() ? 'replaceState' : 'pushState']({ page }, '', url);
  followNavigation();
  currentLocation.set(readLocation());
  if (!keepScroll) startAtTop(page);
}

/** Sets a parameter of the address without an entry in the history, or removes it (null). */
export function replaceSearchParam(name: string, value: string | null): void {
  const query = new URLSearchParams(window.location.search);
  if (value === null) query.delete(name);
  else query.set(name, value);
  const text = query.toString();
  navigate(window.location.pathname + (text && `?${text}`), { replace: true, keepScroll: true });
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
