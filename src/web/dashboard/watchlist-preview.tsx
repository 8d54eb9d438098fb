import { WatchRows } from '../../watchlist/web/watch-rows.tsx';
import { firstChoices } from '../../watchlist/web/view-choices.ts';
import { useWatchlist } from '../../watchlist/web/watchlist-query.ts';
import { CardPlace } from './waiting-cards.tsx';

/** The watchlist as it would stand on the dashboard: always in My order with Day %, whatever was chosen there. */
export function WatchlistPreview() {
  const { data: list } = useWatchlist();
  if (!list) return <CardPlace />;
  return (
    <section className="card min-h-106 overflow-hidden">
      <p className="flex min-h-12 items-center px-4 pt-1 text-lead font-semibold tracking-tight sm:px-5">Watchlist</p>
      {list.item_count === 0 ? (
        <p className="px-4 text-title font-semibold sm:px-5">Start your watchlist</p>
      ) : (
        <WatchRows list={list} choices={firstChoices} onChoose={() => undefined} reportDays={undefined} />
      )}
    </section>
  );
}
