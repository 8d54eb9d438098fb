import { createStore } from '../../kit/store.ts';
import { reload } from '../navigation/location.ts';

/**
 * Time of the oldest figures that are shown offline: when the device lost the network, or before. null while online,
 * undefined while a page that was opened offline shows none.
 */
export const offlineSince = createStore<Date | null | undefined>(null);

/** Whether the page was opened offline, so that it shows cached responses and can be read only. */
export const wasOpenedOffline = !navigator.onLine;

/** Takes the time of a cached response. While the device is offline, every response is one. */
export function recordResponseTime({ headers }: Response): void {
  const since = offlineSince.get();
  const time = new Date(headers.get('date') ?? '');
  if (since === undefined || (since !== null && time < since)) offlineSince.set(time);
}

/** Tracks the device's network state. */
export function followNetwork(): void {
  const update = (): void => {
    if (navigator.onLine) offlineSince.set(null);
    else if (offlineSince.get() === null) offlineSince.set(new Date());
  };
  if (wasOpenedOffline) {
    offlineSince.set(undefined);
    // The cached responses count as fresh, so the page is read anew.
    addEventListener('online', reload, { once: true });
  }
  // A page restored from the back/forward cache has missed these events.
  for (const event of ['online', 'offline', 'pageshow']) addEventListener(event, update);
}
