import { createStore } from '../../kit/store.ts';

const formatClock = (): string => new Date().toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' });

/** When the device lost the network, as the clock on its wall; null while it is online. */
export const offlineSince = createStore<string | null>(null);

/** Follows the device's network. */
export function followNetwork(): void {
  const update = (): void => offlineSince.set(navigator.onLine ? null : (offlineSince.get() ?? formatClock()));
  update();
  // A page that comes back from the back/forward cache has missed the events meanwhile.
  for (const event of ['online', 'offline', 'pageshow']) addEventListener(event, update);
}
