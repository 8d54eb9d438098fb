import type { ComponentType } from 'react';
import type { CardId } from '../../dashboard/contract.ts';
import type { CardProps } from '../ui/card-shell.tsx';
import { EarningsCard } from '../../dashboard/web/earnings-card.tsx';
import { HoldingsCard } from '../../investments/web/holdings-card.tsx';
import { NetWorthCard } from '../../investments/web/net-worth-card.tsx';
import { NewsCard } from '../../dashboard/web/news-card.tsx';

export const cardNames: Readonly<Record<CardId, string>> = {
  net_worth: 'Net worth',
  holdings: 'Holdings',
  earnings: 'Upcoming earnings',
  news: 'Latest news',
  watchlist: 'Watchlist',
};

/** The cards that the investments bring; the watchlist's takes other properties. */
export const investmentCards: Readonly<Record<Exclude<CardId, 'watchlist'>, ComponentType<CardProps>>> = {
  net_worth: NetWorthCard,
  holdings: HoldingsCard,
  earnings: EarningsCard,
  news: NewsCard,
};
