import { lazyConnectDialog } from '../../../features/connections/ui/lazy-connect-dialog.ts';
import type {
  ConnectDialogProps,
  DashboardFeatures,
} from '../../../features/portfolio/dashboard/ui/dashboard-features.ts';
import { DashboardPage } from '../../../features/portfolio/dashboard/ui/dashboard-page.tsx';
import { isCardOffered, useLayout } from '../../../features/portfolio/dashboard/ui/layout-query.ts';
import { clearPortfolioPresenceAtSignOut } from '../../../features/portfolio/dashboard/ui/use-portfolio-presence.ts';
import { watchlistCard } from '../../../features/watchlist/ui/card/dashboard-card.tsx';
import {
  captureDashboardEvent,
  useWatchlistSummary,
} from '../../../features/watchlist/ui/card/use-watchlist-summary.ts';
import { makeOnce } from '../../kit/make-once.ts';
import { Queries } from '../api/queries.tsx';
import { lazyErrorProps } from '../loading/lazy-error-props.ts';
import { LazyComponent } from '../loading/lazy-component.tsx';
import { dashboardCards } from './dashboard-cards.ts';

const features: DashboardFeatures = {
  cards: dashboardCards,
  ConnectDialog,
  captureEvent: captureDashboardEvent,
};

function ConnectDialog(props: ConnectDialogProps) {
  return <LazyComponent component={lazyConnectDialog} props={props} {...lazyErrorProps} onClose={props.onClose} />;
}

/** Starts what the page does beside its screen. */
export const start = makeOnce(clearPortfolioPresenceAtSignOut);

/** Renders `/dashboard` with the parts of the features. */
export default function DashboardRoute() {
  return (
    <Queries>
      <MemberDashboard />
    </Queries>
  );
}

function MemberDashboard() {
  const layout = useLayout();
  const watchlistSummary = useWatchlistSummary(isCardOffered(watchlistCard.id, layout.data));
  return <DashboardPage layout={layout} watchlistSummary={watchlistSummary} features={features} />;
}
