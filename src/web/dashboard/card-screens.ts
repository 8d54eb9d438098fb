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

export const investmentCards: Readonly<Record<Exclude<CardId, 'watchlist'>, LazyExoticComponent<ComponentType<CardProps>>>> = {
  net_worth: lazy(() => import('../../investments/web/net-worth-card.tsx')),
  holdings: lazy(() => import('../../investments/web/holdings-card.tsx')),
  earnings: lazy(() => import('../../investments/web/earnings-card.tsx')),
  news: lazy(() => import('../../investments/web/news-card.tsx')),
};

export const WatchlistCard = lazy(() => import('../../watchlist/web/watchlist-card.tsx'));
