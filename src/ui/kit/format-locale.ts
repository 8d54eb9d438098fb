import { createStore } from './store.ts';

/** BCP 47 tag whose grouping, decimal mark and order of a date the screens use. Texts of the server keep English. */
export const formatLocale = createStore('en-US');
