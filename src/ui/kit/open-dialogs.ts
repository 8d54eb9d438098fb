import { createStore } from './store.ts';

/** The open modal dialogs, the uppermost last; what stands outside of that one is neither pressed nor read aloud. */
export const openDialogs = createStore<readonly string[]>([]);
