import {
  AssistantRoutePanel,
  openAssistant,
  preloadAssistant,
} from '../../../features/assistant/ui/assistant-route-panel.tsx';
import { connectPart } from '../../../features/connections/ui/connect-part.ts';
import type {
  ConnectDialogProps,
  DashboardFeatures,
  PanelsProps,
} from '../../../features/portfolio/ui/dashboard/dashboard-features.ts';
import { DashboardPage } from '../../../features/portfolio/ui/dashboard/dashboard-page.tsx';
import { isOffered, readDashboard, useLayout } from '../../../features/portfolio/ui/dashboard/layout-query.ts';
import { clearPortfolioStateAtSignOut } from '../../../features/portfolio/ui/dashboard/use-portfolio-state.ts';
import { watchlistCard } from '../../../features/watchlist/ui/card/dashboard-card.tsx';
import { captureDashboardEvent, useWatched } from '../../../features/watchlist/ui/card/use-watched.ts';
import { TickerRoutePanel } from '../../../features/watchlist/ui/panel/ticker-route-panel.tsx';
import { makeOnce } from '../../kit/make-once.ts';
import { Queries, whenSignedIn } from '../api/queries.tsx';
import { besidePage } from '../dashboard/beside-page.ts';
import { LazyPart } from '../loading/lazy-part.tsx';
import { dashboardCards } from './dashboard-cards.ts';

const features: DashboardFeatures = {
  cards: dashboardCards,
  ConnectDialog,
  Panels,
  openAssistant,
  preloadAssistant,
  captureEvent: captureDashboardEvent,
};

function ConnectDialog(props: ConnectDialogProps) {
  return <LazyPart part={connectPart} props={props} {...besidePage} onClose={props.onClose} />;
}

function Panels({ privacy, asked, onBought, onAsk }: PanelsProps) {
  const layout = useLayout();
  const cardIsShown = layout.data?.cards.some(({ id }) => id === watchlistCard.id) ?? false;
  return (
    <>
      <TickerRoutePanel
        isOffered={isOffered(watchlistCard.id, layout.data)}
        cardIsShown={layout.isPending ? null : cardIsShown}
        privacy={privacy}
        onBought={onBought}
        onAsk={onAsk}
      />
      <AssistantRoutePanel asked={asked} privacy={privacy} />
    </>
  );
}

/** Reads what the cards show as soon as the session is known, while the page is drawn for the first time. */
export const start = makeOnce(() => {
  clearPortfolioStateAtSignOut();
  whenSignedIn((queries) => readDashboard(queries, dashboardCards));
});

/** `/dashboard`, with what the features bring to it. */
export default function DashboardRoute() {
  return (
    <Queries>
      <MemberDashboard />
    </Queries>
  );
}

function MemberDashboard() {
  const layout = useLayout();
  const watched = useWatched(isOffered(watchlistCard.id, layout.data));
  return <DashboardPage layout={layout} watched={watched} features={features} />;
}
