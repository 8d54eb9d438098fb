import type { DashboardCard } from '../shared/dashboard-card.ts';
import { AccountsCard } from './accounts-card.tsx';
import { DividendsCard } from './dividends-card.tsx';
import { EarningsCard } from './earnings-card.tsx';
import { HoldingsCard } from './holdings-card.tsx';
import { MoversCard } from './movers-card.tsx';
import { NetWorthCard } from './net-worth-card.tsx';
import { NewsCard } from './news-card.tsx';

export const netWorthCard: DashboardCard = {
  id: 'net_worth',
  title: 'Net worth',
  description: 'Your cash and investments over time.',
  size: 'wide',
  needs: 'netWorth',
  Content: NetWorthCard,
};

export const accountsCard: DashboardCard = {
  id: 'accounts',
  title: 'Accounts',
  description: 'Your accounts with their value and the age of their figures.',
  size: 'narrow',
  needs: 'netWorth',
  Content: AccountsCard,
};

export const moversCard: DashboardCard = {
  id: 'movers',
  title: 'Movers',
  description: 'The day’s largest moves among what you own.',
  size: 'narrow',
  needs: 'holdings',
  Content: MoversCard,
};

export const holdingsCard: DashboardCard = {
  id: 'holdings',
  title: 'Holdings',
  description: 'Your investments, most valuable first.',
  size: 'wide',
  needs: 'holdings',
  Content: HoldingsCard,
};

export const earningsCard: DashboardCard = {
  id: 'earnings',
  title: 'Upcoming earnings',
  description: 'Earnings dates of companies you own or watch.',
  size: 'narrow',
  needs: 'heldOrWatched',
  Content: EarningsCard,
};

export const dividendsCard: DashboardCard = {
  id: 'dividends',
  title: 'Dividends',
  description: 'Payments of the next 90 days from what you own or watch.',
  size: 'narrow',
  needs: 'heldOrWatched',
  Content: DividendsCard,
};

export const newsCard: DashboardCard = {
  id: 'news',
  title: 'Latest news',
  description: 'The newest articles about your companies.',
  size: 'narrow',
  needs: 'heldOrWatched',
  Content: NewsCard,
};
