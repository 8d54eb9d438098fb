import { lazy } from 'react';

const loadSearch = () => import('./search-to-add.tsx');
const loadEdit = () => import('./edit-watchlist.tsx');
const loadDetail = () => import('./ticker-panel.tsx');
const loadImport = () => import('./import-list.tsx');

/** What the card fetches when it is first needed: each is a chunk of its own. */
export const SearchToAdd = lazy(loadSearch);
export const EditWatchlist = lazy(loadEdit);
export const TickerPanel = lazy(loadDetail);
export const ImportList = lazy(loadImport);

const quietly = (load: () => Promise<unknown>) => (): void => void load().catch(() => undefined);

/** Ahead of the click, when a pointer or the focus comes near; a failure shows when the part is opened. */
export const preloadSearch = quietly(loadSearch);
export const preloadEdit = quietly(loadEdit);
export const preloadDetail = quietly(loadDetail);
