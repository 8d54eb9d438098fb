import { useSyncExternalStore } from 'react';
import type { Store } from './store.ts';

/** Returns the store's value and re-renders on changes. */
export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}
