import type { IconName } from '../../kit/icon.tsx';
import type { RoutePath } from '../route-paths.ts';

/** Destination of a member in the header, in the tab bar of phones and in the search. */
export interface NavigationEntry {
  label: string;
  icon: IconName;
  href: RoutePath;
  /** Query that opens the destination beside the current page, in a window with room for both. */
  panel?: `?${string}`;
  /** Whether the entry exists only in the rollout of the watchlist. */
  needsWatchlist?: boolean;
}

/** Destinations in their order. A new page of members is added here. */
export const navigationEntries: readonly NavigationEntry[] = [
  { label: 'Home', icon: 'home', href: '/dashboard' },
  { label: 'Portfolio', icon: 'pie', href: '/portfolio' },
  { label: 'Watchlist', icon: 'star', href: '/watchlist', needsWatchlist: true },
  { label: 'Assistant', icon: 'chat', href: '/assistant', panel: '?assistant=open' },
];
