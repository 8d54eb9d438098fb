import { CardPlaceholder } from '../../../../ui/kit/card-placeholder.tsx';
import type { DashboardCard } from '../../../portfolio/dashboard/ui/shared/dashboard-card.ts';
import { useWatchlist } from '../list/watchlist-query.ts';
import { defaultChoices } from './view-choices.ts';
import { WatchRows } from './watch-rows.tsx';
import { WatchlistCard } from './watchlist-card.tsx';

export const watchlistCard: DashboardCard = {
  id: 'watchlist',
  title: 'Watchlist',
  description: 'Tickers that you follow without owning them.',
  size: 'row',
  Content: () => <WatchlistCard />,
  Preview: WatchlistPreview,
};

/** Previews the watchlist card, always in My order with Day %, independent of the member's choices. */
function WatchlistPreview() {
  const { data: list } = useWatchlist();
  if (!list) return <CardPlaceholder />;
  return (
    <section className="card min-h-106 overflow-hidden">
      <p className="flex min-h-12 items-center px-4 pt-1 text-lead font-semibold tracking-tight sm:px-5">Watchlist</p>
      {list.item_count === 0 ? (
        <p className="px-4 text-title font-semibold sm:px-5">Start your watchlist</p>
      ) : (
        <WatchRows list={list} choices={defaultChoices} onChoose={() => undefined} reports={undefined} />
      )}
    </section>
  );
}
