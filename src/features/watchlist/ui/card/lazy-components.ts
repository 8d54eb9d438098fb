import { lazyComponent } from '../../../../ui/shell/loading/lazy-component.tsx';

/** Parts of the card that load on first use, each in its own chunk. */
export const lazyTickerSearch = lazyComponent('The search', () => import('../search/ticker-search.tsx'));
export const lazyEditWatchlist = lazyComponent('The editor', () => import('../edit/edit-watchlist.tsx'));
export const lazyImportList = lazyComponent('The import', () => import('../import/import-list.tsx'));
export const lazyOfflineAdds = lazyComponent('The offline queue', () => import('../list/replay-offline-adds.ts'));

export const { preload: preloadEditWatchlist } = lazyEditWatchlist;
