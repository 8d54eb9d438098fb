import { createStore } from './store.ts';

/** The modal dialogs that are open, the uppermost last. Whatever stands outside of it is inert: neither pressed nor
 * read aloud. */
export const openDialogs = createStore<readonly string[]>([]);
