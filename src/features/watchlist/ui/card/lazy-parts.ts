import { lazyPart } from '../../../../ui/shell/loading/lazy-part.tsx';

/** What the card fetches when it is first needed, each in a script of its own. */
export const searchPart = lazyPart('The search', () => import('../search/search-to-add.tsx'));
export const editPart = lazyPart('The list’s editor', () => import('../edit/edit-watchlist.tsx'));
export const detailPart = lazyPart('The ticker’s detail', () => import('../panel/ticker-panel.tsx'));
export const importPart = lazyPart('The import', () => import('../import/import-list.tsx'));
export const offlineAddsPart = lazyPart('What was added offline', () => import('../list/send-offline-adds.ts'));
export const keysPart = lazyPart('The list of keys', () => import('./keys-dialog.tsx'));

export const { preload: preloadEdit } = editPart;
export const { preload: preloadDetail } = detailPart;
