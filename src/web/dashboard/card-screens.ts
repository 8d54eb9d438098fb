import type { ComponentType, LazyExoticComponent } from 'react';
import { lazy } from 'react';
import type { CardId } from '../../investments/contract.ts';
import type { CardProps } from '../../investments/web/card-shell.tsx';

/** What the slices bring to the dashboard, each in a chunk of its own. */
export const cardNames: Readonly<Record<CardId, string>> = {
  net_worth: 'Net worth',
  holdings: 'Holdings',
  earnings: 'Upcoming earnings',
  news: 'Latest news',
  watchlist: 'Watchlist',
};

const loads = {
  net_worth: () => import('../../investments/web/net-worth-card.tsx'),
  holdings: () => import('../../investments/web/holdings-card.tsx'),
  earnings: () => import('../../investments/web/earnings-card.tsx'),
  news: () => import('../../investments/web/news-card.tsx'),
} satisfies Record<Exclude<CardId, 'watchlist'>, () => Promise<{ default: ComponentType<CardProps> }>>;
const loadWatchlist = () => import('../../watchlist/web/watchlist-card.tsx');

export const investmentCards: Readonly<Record<keyof typeof loads, LazyExoticComponent<ComponentType<CardProps>>>> = {
  net_worth: lazy(loads.net_worth),
  holdings: lazy(loads.holdings),
  earnings: lazy(loads.earnings),
  news: lazy(loads.news),
};

export const WatchlistCard = lazy(loadWatchlist);

/** Fetches the cards' code while the session and the member's order are looked up; a failure shows in the card's place. */
export function preloadCards(): void {
  for (const load of [...Object.values(loads), loadWatchlist]) void load().catch(() => undefined);
}
