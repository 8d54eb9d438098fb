import type { ComponentType } from 'react';
import type { CardId } from '../../dashboard/contract.ts';
import type { CardProps } from '../ui/card-shell.tsx';
import { EarningsCard } from '../../dashboard/web/earnings-card.tsx';
import { HoldingsCard } from '../../investments/web/holdings-card.tsx';
import { NetWorthCard } from '../../investments/web/net-worth-card.tsx';
import { NewsCard } from '../../dashboard/web/news-card.tsx';

type InvestmentCardId = Exclude<CardId, 'watchlist'>;

export const cardNames: Readonly<Record<CardId, string>> = {
  net_worth: 'Net worth',
  holdings: 'Holdings',
  earnings: 'Upcoming earnings',
  news: 'Latest news',
  watchlist: 'Watchlist',
};

const investmentCards: Readonly<Record<InvestmentCardId, ComponentType<CardProps>>> = {
  net_worth: NetWorthCard,
  holdings: HoldingsCard,
  earnings: EarningsCard,
  news: NewsCard,
};

/** One of the cards that the investments bring; the watchlist's takes other properties. */
export function InvestmentCard({ id, ...props }: CardProps & { id: InvestmentCardId }) {
  const Card = investmentCards[id];
  return <Card {...props} />;
}
