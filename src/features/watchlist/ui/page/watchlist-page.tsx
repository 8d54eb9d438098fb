import { useMediaQuery } from '../../../../ui/kit/use-media-query.ts';
import NotFoundPage from '../../../../ui/shell/errors/not-found-page.tsx';
import { useWatchlistSummary } from '../card/use-watchlist-summary.ts';
import { WatchRows, type WatchRowsProps } from '../card/watch-rows.tsx';
import { WatchlistCard } from '../card/watchlist-card.tsx';
import { useWatchlist } from '../list/watchlist-query.ts';
import { WatchTable } from './watch-table.tsx';

/** Shows `/watchlist`: the card as the whole page, with a table in place of its rows on wide screens. */
export function WatchlistPage() {
  const { data } = useWatchlist();
  const { isSample } = useWatchlistSummary(true);
  if (data === null) return <NotFoundPage />;
  return (
    // The id is that of the card on the dashboard, so that its keys work here too.
    <div id="card-watchlist">
      <WatchlistCard isPage isSample={isSample} Rows={ResponsiveRows} />
    </div>
  );
}

function ResponsiveRows(props: WatchRowsProps) {
  const hasRoom = useMediaQuery('(width >= 64rem)');
  return hasRoom ? <WatchTable {...props} /> : <WatchRows {...props} />;
}
