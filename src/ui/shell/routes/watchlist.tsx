import { isCardOffered, useLayout } from '../../../features/portfolio/dashboard/ui/layout-query.ts';
import { watchlistCard } from '../../../features/watchlist/ui/card/dashboard-card.tsx';
import { WatchlistPage } from '../../../features/watchlist/ui/page/watchlist-page.tsx';
import { ErrorMessage } from '../../kit/error-message.tsx';
import { Skeleton } from '../../kit/skeleton.tsx';
import { Queries } from '../api/queries.tsx';
import NotFoundPage from '../errors/not-found-page.tsx';

/** Renders `/watchlist`. */
export default function WatchlistRoute() {
  return (
    <Queries>
      <OfferedWatchlist />
    </Queries>
  );
}

/** Shows the page inside the rollout of the watchlist, which the dashboard's layout tells without reading the list. */
function OfferedWatchlist() {
  const layout = useLayout();
  if (!isCardOffered(watchlistCard.id, layout.data)) {
    if (layout.data) return <NotFoundPage />;
    if (layout.isPending) return <Skeleton lines={4} label="Loading the page" />;
    return (
      <ErrorMessage
        error={layout.error}
        retry={() => {
          void layout.refetch();
        }}
      />
    );
  }
  return <WatchlistPage />;
}
