import { useDeferredValue, useEffect, useId, useRef, useState } from 'react';
import { readStored } from '../../../../ui/kit/browser-storage.ts';
import { Failure } from '../../../../ui/kit/failure.tsx';
import { navigate, useSearch } from '../../../../ui/shell/navigation/location.ts';
import { LazyPart } from '../../../../ui/shell/loading/lazy-part.tsx';
import type { Watchlist } from '../../contract.ts';
import { capture } from '../list/capture.ts';
import { AddRow, CardSkeleton, MarketStatus } from './card-parts.tsx';
import { IconButton } from '../../../../ui/kit/icon-button.tsx';
import { detailPart, editPart, importPart, offlineAddsPart, keysPart, searchPart } from './lazy-parts.ts';
import { isShort, OFFLINE_ADDS_KEY } from '../list/item-words.ts';
import { LockedRows } from './locked-rows.tsx';
import { MoreMenu } from './more-menu.tsx';
import { closedLink } from '../panel/ticker-address.ts';
import type { TickerSurroundings } from '../panel/ticker-details.tsx';
import { useListKeys } from './use-list-keys.ts';
import { useViewChoices } from './view-choices.ts';
import { WatchRows } from './watch-rows.tsx';
import { useReportsSoon, useWatchlist } from '../list/watchlist-query.ts';

/** The dashboard's card `watchlist`. Outside the rollout there is nothing. */
export function WatchlistCard({ privacy, onBought, onAsk }: TickerSurroundings) {
  const { data, error, isPending, refetch } = useWatchlist();
  const title = useId();
  if (data === null) return null;
  return (
    <section aria-labelledby={title} className="card overflow-hidden">
      {data ? (
        <LoadedCard list={data} title={title} surroundings={{ privacy, onBought, onAsk }} />
      ) : (
        <>
          <div className="flex min-h-12 items-center px-4 pt-1 sm:px-5">
            <CardTitle id={title} />
          </div>
          {isPending ? (
            <CardSkeleton />
          ) : (
            <div className="px-4 pb-4 sm:px-5">
              <Failure error={error} retry={() => void refetch()} />
            </div>
          )}
        </>
      )}
    </section>
  );
}

const CardTitle = ({ id }: { id: string }) => (
  <h2 id={id} tabIndex={-1} className="text-lead font-semibold tracking-tight">
    Watchlist
  </h2>
);

type Open = 'search' | 'edit' | 'import' | 'keys' | null;

interface LoadedCardProps {
  list: Watchlist;
  title: string;
  surroundings: TickerSurroundings;
}

function LoadedCard({ list, title, surroundings }: LoadedCardProps) {
  const [open, setOpen] = useState<Open>(null);
  const [hasOfflineAdds] = useState(() => readStored(OFFLINE_ADDS_KEY) !== null);
  const [choices, choose] = useViewChoices();
  const reports = useReportsSoon(list.items.some((item) => !item.locked && item.asset_type === 'stock'));
  const ticker = useSearch().get('ticker');
  const add = useRef<HTMLDivElement>(null);
  const empty = list.item_count === 0;
  // What was pressed (a search row, a row of the editor) answers first; the rows follow behind it.
  const rows = useDeferredValue(list);
  useEffect(() => {
    capture('watchlist_viewed', list);
    // Once per visit, with the list as it was found.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  const wasEmpty = useRef(empty);
  useEffect(() => {
    // The last row takes the focus with it when it goes: reading goes on at the title.
    if (empty && !wasEmpty.current && document.activeElement === document.body) document.getElementById(title)?.focus();
    wasEmpty.current = empty;
  }, [empty, title]);

  /** The title has the focus where the sentence's button is gone; a dialog gives it back there. */
  const aside = { className: 'px-4 pb-3 sm:px-5', onAnswer: () => document.getElementById(title)?.focus() };
  const close = (): void => setOpen(null);
  useListKeys({
    onSearch() {
      const field = document.getElementById(title)?.closest('section')?.querySelector<HTMLElement>('[role="combobox"]');
      if (field) field.focus();
      else openSearch();
    },
    onHelp: () => setOpen('keys'),
  });
  const closeDetail = (): void => navigate(closedLink(), { keepScroll: true });

  function closeSearch(): void {
    setOpen(null);
    add.current?.querySelector('button')?.focus();
  }

  return (
    <>
      <div className="flex min-h-12 items-center justify-between gap-3 px-4 pt-1 sm:px-5">
        <CardTitle id={title} />
        <div ref={add} className="-me-2 flex items-center">
          {!empty && (
            <>
              <IconButton
                icon="plus"
                label="Add tickers"
                aria-expanded={open === 'search'}
                {...searchPart.preloadProps}
                onClick={() => (open === 'search' ? closeSearch() : openSearch())}
              />
              <IconButton
                icon="pencil"
                label="Edit watchlist"
                {...editPart.preloadProps}
                onClick={() => setOpen('edit')}
              />
            </>
          )}
          <MoreMenu list={list} onImport={() => setOpen('import')} onKeys={() => setOpen('keys')} />
        </div>
      </div>
      {empty ? (
        <Start />
      ) : (
        <div className="px-4 pb-2 sm:px-5">
          <MarketStatus list={list} />
        </div>
      )}
      {(empty || open === 'search') && (
        // As high as the field and the longest list of results: what stands below does not move when they come, or when
        // others do.
        <div className="min-h-99 px-4 pb-3 sm:px-5">
          <LazyPart
            part={searchPart}
            props={{
              list,
              focused: open === 'search',
              onDone: empty ? undefined : closeSearch,
              onFirstPick: () => setOpen('search'),
            }}
            waiting={<span className="skeleton h-10 w-full" />}
            onClose={empty ? undefined : closeSearch}
          />
        </div>
      )}
      {hasOfflineAdds && <LazyPart part={offlineAddsPart} props={{}} {...aside} />}
      {open === 'edit' && (
        <LazyPart part={editPart} props={{ list, sort: choices.sort, onClose: close }} {...aside} onClose={close} />
      )}
      {open === 'import' && <LazyPart part={importPart} props={{ list, onClose: close }} {...aside} onClose={close} />}
      {open === 'keys' && <LazyPart part={keysPart} props={{ onClose: close }} {...aside} onClose={close} />}
      {ticker !== null && (
        <LazyPart
          key={ticker}
          part={detailPart}
          props={{ symbol: ticker, list, ...surroundings }}
          {...aside}
          onClose={closeDetail}
        />
      )}
      {!empty && (
        <>
          {list.tier_stale && (
            <p className="px-4 pb-2 text-small text-warn sm:px-5">
              Your plan cannot be looked up right now. The list follows it as it was last known; adding has to wait.
            </p>
          )}
          {list.history === 'unavailable' && (
            <p className="px-4 pb-2 text-small text-ink-faint sm:px-5">
              Charts are not available right now; prices are.
            </p>
          )}
          {rows.locked_count < rows.item_count && (
            <WatchRows list={rows} choices={choices} onChoose={choose} reports={reports} />
          )}
          {isShort(list) && open !== 'search' && <AddRow onClick={openSearch} />}
          <LockedRows list={rows} onChoose={() => setOpen('edit')} />
        </>
      )}
    </>
  );

  function openSearch(): void {
    setOpen('search');
    capture('watchlist_search_opened', list);
  }
}

const Start = () => (
  <div className="px-4 pb-3 sm:px-5">
    <p className="text-title font-semibold tracking-tight">Start your watchlist</p>
    <p className="text-small text-ink-soft">
      Follow stocks, ETFs, mutual funds and bonds without owning them.
      <span className="max-sm:hidden"> They never count towards your net worth.</span>
    </p>
  </div>
);
