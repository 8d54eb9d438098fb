import {
  earningsCard,
  holdingsCard,
  netWorthCard,
  newsCard,
} from '../../../features/portfolio/ui/cards/dashboard-cards.ts';
import { watchlistCard } from '../../../features/watchlist/ui/card/dashboard-card.tsx';
import type { DashboardCard } from '../dashboard/dashboard-card.ts';

/** The cards that features offer for the dashboard, in the order of a member who has changed nothing. */
export const dashboardCards: readonly DashboardCard[] = [
  netWorthCard,
  holdingsCard,
  earningsCard,
  newsCard,
  watchlistCard,
];
