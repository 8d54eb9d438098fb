import { createStore } from '../../kit/store.ts';

const formatClock = (): string => new Date().toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' });

/** Local time at which the device lost the network. null while online. */
export const offlineSince = createStore<string | null>(null);

/** Tracks the device's network state. */
export function followNetwork(): void {
  const update = (): void => offlineSince.set(navigator.onLine ? null : (offlineSince.get() ?? formatClock()));
  update();
  // A page restored from the back/forward cache has missed these events.
  for (const event of ['online', 'offline', 'pageshow']) addEventListener(event, update);
}
