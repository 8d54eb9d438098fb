import { createStore } from '../../kit/store.ts';
import { reload } from '../navigation/location.ts';

/**
 * Time of the oldest figures that are shown offline: when the device lost the network, or before. null while online,
 * undefined while a page that was opened offline shows none.
 */
export const offlineSince = createStore<Date | null | undefined>(null);

/** Time in ms from the network's return to the reload of a page that was opened without it. */
const RELOAD_DELAY_MS = 1_000;
/** Time in ms that a navigation may take. A reload would end it. */
const NAVIGATION_MS = 10_000;

/** Whether the page was opened offline, so that it shows cached responses and can be read only. */
export const wasOpenedOffline = !navigator.onLine;

/** Takes the time of a cached response. While the device is offline, every response is one. */
export function recordResponseTime({ headers }: Response): void {
  const since = offlineSince.get();
  const time = new Date(headers.get('date') ?? '');
  if (since === undefined || (since !== null && time < since)) offlineSince.set(time);
}

/** Tracks the device's network state. A page that was opened offline stays so until it is reloaded. */
export function followNetwork(): void {
  if (wasOpenedOffline) {
    offlineSince.set(undefined);
    reloadWithNetwork();
    return;
  }
  const update = (): void => {
    if (navigator.onLine) offlineSince.set(null);
    else if (offlineSince.get() === null) offlineSince.set(new Date());
  };
  // A page restored from the back/forward cache has missed these events.
  for (const event of ['online', 'offline', 'pageshow']) addEventListener(event, update);
}

/** Reloads the page when the network has returned, since its cached responses count as fresh. Waits for a navigation. */
function reloadWithNetwork(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let leavesUntil = 0;
  const reloadIn = (delay: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (Date.now() < leavesUntil) reloadIn(leavesUntil - Date.now());
      else if (navigator.onLine) reload();
    }, delay);
  };
  addEventListener('online', () => reloadIn(RELOAD_DELAY_MS));
  addEventListener('beforeunload', () => {
    leavesUntil = Date.now() + NAVIGATION_MS;
  });
}
