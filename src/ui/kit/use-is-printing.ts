import { useEffect } from 'react';
import { makeOnce } from './make-once.ts';
import { createStore } from './store.ts';
import { useStore } from './use-store.ts';

const isPrinting = createStore(false);

const followPrint = makeOnce(() => {
  addEventListener('beforeprint', () => isPrinting.set(true));
  addEventListener('afterprint', () => isPrinting.set(false));
});

/** Returns whether the page is being printed. The component is rendered again before the print is made. */
export function useIsPrinting(): boolean {
  useEffect(followPrint, []);
  return useStore(isPrinting);
}
