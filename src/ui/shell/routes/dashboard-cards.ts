import {
  accountsCard,
  dividendsCard,
  earningsCard,
  holdingsCard,
  moversCard,
  netWorthCard,
  newsCard,
} from '../../../features/portfolio/dashboard/ui/cards/dashboard-cards.ts';
import { watchlistCard } from '../../../features/watchlist/ui/card/dashboard-card.tsx';
import type { DashboardCard } from '../../../features/portfolio/dashboard/ui/shared/dashboard-card.ts';

/** Cards that features offer for the dashboard, in default order. */
export const dashboardCards: readonly DashboardCard[] = [
  netWorthCard,
  accountsCard,
  moversCard,
  earningsCard,
  dividendsCard,
  newsCard,
  holdingsCard,
  watchlistCard,
];
