import { createStore } from '../../kit/store.ts';
import { reload } from '../navigation/location.ts';

/** Time of the oldest figures that are shown offline: when the device lost the network, or before. null while online. */
export const offlineSince = createStore<Date | null>(null);

/** Whether the page was opened offline, so that it shows cached responses and can be read only. */
export const wasOpenedOffline = createStore(false);

/** Takes the time of a cached response. While the device is offline, every response is one. */
export function recordResponseTime({ headers }: Response): void {
  const since = offlineSince.get();
  const time = new Date(headers.get('date') ?? '');
  if (since !== null && time < since) offlineSince.set(time);
}

/** Tracks the device's network state. */
export function followNetwork(): void {
  const update = (): void => offlineSince.set(navigator.onLine ? null : (offlineSince.get() ?? new Date()));
  update();
  if (!navigator.onLine) {
    wasOpenedOffline.set(true);
    // The cached responses count as fresh, so the page is read anew.
    addEventListener('online', reload, { once: true });
  }
  // A page restored from the back/forward cache has missed these events.
  for (const event of ['online', 'offline', 'pageshow']) addEventListener(event, update);
}
