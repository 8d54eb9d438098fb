import { lazyPart } from './lazy-part.tsx';

const loadSearch = () => import('./search-to-add.tsx');
const loadEdit = () => import('./edit-watchlist.tsx');
const loadDetail = () => import('./ticker-panel.tsx');
const loadImport = () => import('./import-list.tsx');

/** What the card fetches when it is first needed: each is a chunk of its own, named in `vite.config.ts` so that it can be asked for again. */
export const searchPart = lazyPart('The search', loadSearch);
export const editPart = lazyPart('The list’s editor', loadEdit);
export const detailPart = lazyPart('The ticker’s detail', loadDetail);
export const importPart = lazyPart('The import', loadImport);

const quietly = (load: () => Promise<unknown>) => (): void => void load().catch(() => undefined);

/** Ahead of the click, when a pointer or the focus comes near; a failure shows when the part is opened. */
export const preloadSearch = quietly(loadSearch);
export const preloadEdit = quietly(loadEdit);
export const preloadDetail = quietly(loadDetail);
