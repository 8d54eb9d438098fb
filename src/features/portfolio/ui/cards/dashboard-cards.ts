import type { DashboardCard } from '../../../../ui/shell/dashboard/dashboard-card.ts';
import { netWorth, positions } from '../card-queries.ts';
import { earnings, news } from './card-queries.ts';
import { EarningsCard } from './earnings-card.tsx';
import { HoldingsCard } from './holdings-card.tsx';
import { NetWorthCard } from './net-worth-card.tsx';
import { NewsCard } from './news-card.tsx';

export const netWorthCard: DashboardCard = {
  id: 'net_worth',
  title: 'Net worth',
  about: 'Cash and investments together, day by day.',
  size: 'wide',
  needs: 'worth',
  Content: NetWorthCard,
  prefetch: (queries) => void queries.prefetchQuery(netWorth),
};

export const holdingsCard: DashboardCard = {
  id: 'holdings',
  title: 'Holdings',
  about: 'What you own, the most valuable first.',
  size: 'narrow',
  needs: 'holdings',
  Content: HoldingsCard,
  prefetch: (queries) => void queries.prefetchQuery(positions),
};

export const earningsCard: DashboardCard = {
  id: 'earnings',
  title: 'Upcoming earnings',
  about: 'Who reports next, of what you own and watch.',
  size: 'narrow',
  needs: 'follows',
  Content: EarningsCard,
  prefetch: (queries) => void queries.prefetchQuery(earnings),
};

export const newsCard: DashboardCard = {
  id: 'news',
  title: 'Latest news',
  about: 'The newest articles about your companies.',
  size: 'narrow',
  needs: 'follows',
  Content: NewsCard,
  prefetch: (queries) => void queries.prefetchQuery(news),
};
