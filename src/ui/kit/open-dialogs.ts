import { createStore } from './store.ts';

/** Open modal dialogs, uppermost last. Content outside the uppermost dialog is inert. */
export const openDialogs = createStore<readonly string[]>([]);
