import { createStore } from './store.ts';

/** Whether the page is being printed. A component that reads it is rendered again before the print is made. */
export const isPrinting = createStore(false);

addEventListener('beforeprint', () => isPrinting.set(true));
addEventListener('afterprint', () => isPrinting.set(false));
