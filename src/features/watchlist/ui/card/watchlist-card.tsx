import { type ComponentType, useDeferredValue, useEffect, useId, useRef, useState } from 'react';
import { readStored } from '../../../../ui/kit/browser-storage.ts';
import { SampleBadge } from '../../../../ui/shell/layout/sample-badge.tsx';
import { ErrorMessage } from '../../../../ui/kit/error-message.tsx';
import { openAlertForm, useMaySetAlerts } from '../../../../ui/shell/alerts/alert-request.ts';
import { LazyComponent } from '../../../../ui/shell/loading/lazy-component.tsx';
import { isShortcutListOpen } from '../../../../ui/shell/navigation/shortcut-list.ts';
import type { Watchlist } from '../../contract.ts';
import { capture } from '../list/capture.ts';
import { AddTickerRow, CardSkeleton, MarketStatus } from './card-parts.tsx';
import { IconButton } from '../../../../ui/kit/icon-button.tsx';
import { lazyEditWatchlist, lazyImportList, lazyOfflineAdds, lazyTickerSearch } from './lazy-components.ts';
import { isShortList, OFFLINE_ADDS_KEY } from '../list/item-labels.ts';
import { LockedRows } from './locked-rows.tsx';
import { MoreMenu } from './more-menu.tsx';
import { useKeyboardShortcuts } from './use-keyboard-shortcuts.ts';
import { useViewChoices } from './view-choices.ts';
import { WatchRows, type WatchRowsProps } from './watch-rows.tsx';
import { useUpcomingReports, useWatchlist } from '../list/watchlist-query.ts';

interface WatchlistCardProps {
  /** Whether the card is the whole page, so that its title is the page's. */
  isPage?: boolean;
  /** Whether the page says that prices are simulated. */
  isSample?: boolean;
  /** Shows the active rows below their controls. */
  Rows?: ComponentType<WatchRowsProps>;
}

const cardClass = 'card overflow-hidden';
const cardHeaderClass = 'flex min-h-12 items-center justify-between gap-3 px-4 pt-1 sm:px-5';
/** On a page the title is above the card, as on other pages. */
const pageHeaderClass = 'mb-4 flex min-h-9 flex-wrap items-center justify-between gap-3';

/** Renders the dashboard card `watchlist`. Renders nothing outside the rollout. */
export function WatchlistCard({ isPage = false, isSample = false, Rows = WatchRows }: WatchlistCardProps) {
  const { data, error, isPending, refetch } = useWatchlist();
  const title = useId();
  if (data === null) return null;
  return (
    <section aria-labelledby={title} className={isPage ? '' : cardClass}>
      {data ? (
        <LoadedCard list={data} title={title} isPage={isPage} isSample={isSample} Rows={Rows} />
      ) : (
        <>
          <div className={isPage ? pageHeaderClass : cardHeaderClass}>
            <CardTitle id={title} isPage={isPage} isSample={isSample} />
          </div>
          <div className={isPage ? `${cardClass} pt-3` : ''}>
            {isPending ? (
              <CardSkeleton />
            ) : (
              <div className="px-4 pb-4 sm:px-5">
                <ErrorMessage
                  error={error}
                  retry={() => {
                    void refetch();
                  }}
                />
              </div>
            )}
          </div>
        </>
      )}
    </section>
  );
}

function CardTitle({ id, isPage, isSample }: { id: string; isPage: boolean; isSample: boolean }) {
  const Heading = isPage ? 'h1' : 'h2';
  return (
    <div className="flex items-center gap-3">
      <Heading id={id} tabIndex={-1} className={`font-semibold tracking-tight ${isPage ? 'text-title' : 'text-lead'}`}>
        Watchlist
      </Heading>
      {isSample && <SampleBadge />}
    </div>
  );
}

type OpenPanel = 'search' | 'edit' | 'import' | null;

interface LoadedCardProps extends Pick<Required<WatchlistCardProps>, 'isPage' | 'isSample' | 'Rows'> {
  list: Watchlist;
  title: string;
}

function LoadedCard({ list, title, isPage, isSample, Rows }: LoadedCardProps) {
  const [open, setOpen] = useState<OpenPanel>(null);
  const [hasOfflineAdds] = useState(() => readStored(OFFLINE_ADDS_KEY) !== null);
  const [choices, choose] = useViewChoices();
  const reports = useUpcomingReports(list.items.some((item) => !item.locked && item.asset_type === 'stock'));
  const addButtonArea = useRef<HTMLDivElement>(null);
  const maySetAlerts = useMaySetAlerts();
  const isEmpty = list.item_count === 0;
  // The pressed element (a search row or an editor row) updates first. The card's rows follow in a deferred update.
  const deferredList = useDeferredValue(list);
  useEffect(() => {
    capture('watchlist_viewed', list);
    // Runs once per visit, with the list as first read.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  const wasEmpty = useRef(isEmpty);
  useEffect(() => {
    // If the last row disappears with the focus, the focus moves to the card title.
    if (isEmpty && !wasEmpty.current && document.activeElement === document.body)
      document.getElementById(title)?.focus();
    wasEmpty.current = isEmpty;
  }, [isEmpty, title]);

  /** After the error message disappears, the focus moves to the title. A dialog restores the focus there. */
  const errorProps = { className: 'px-4 pb-3 sm:px-5', onDismiss: () => document.getElementById(title)?.focus() };
  const close = (): void => setOpen(null);
  useKeyboardShortcuts({
    onSearch() {
      const field = document.getElementById(title)?.closest('section')?.querySelector<HTMLElement>('[role="combobox"]');
      if (field) field.focus();
      else openSearch();
    },
    onAlert(symbol) {
      const item = list.items.find((row) => row.symbol === symbol);
      if (item && !item.locked && maySetAlerts) openAlertForm(item);
    },
  });

  function closeSearch(): void {
    setOpen(null);
    addButtonArea.current?.querySelector('button')?.focus();
  }

  return (
    <>
      <div className={isPage ? pageHeaderClass : cardHeaderClass}>
        <CardTitle id={title} isPage={isPage} isSample={isSample} />
        <div ref={addButtonArea} className={`flex items-center ${isPage ? 'gap-2' : '-me-2'}`}>
          {!isEmpty && (
            <>
              <IconButton
                icon="plus"
                label="Add tickers"
                showsLabel={isPage}
                aria-expanded={open === 'search'}
                {...lazyTickerSearch.preloadProps}
                onClick={() => (open === 'search' ? closeSearch() : openSearch())}
              />
              <IconButton
                icon="pencil"
                label="Edit watchlist"
                showsLabel={isPage}
                {...lazyEditWatchlist.preloadProps}
                onClick={() => setOpen('edit')}
              />
            </>
          )}
          <MoreMenu list={list} onImport={() => setOpen('import')} onShortcuts={() => isShortcutListOpen.set(true)} />
        </div>
      </div>
      <div className={isPage ? `${cardClass} pt-3` : ''}>
        {isEmpty ? (
          <EmptyWatchlist />
        ) : (
          <div className="px-4 pb-2 sm:px-5">
            <MarketStatus list={list} />
          </div>
        )}
        {(isEmpty || open === 'search') && (
          // The height fits the field and the longest result list, so that results do not shift the content below.
          <div className="min-h-99 px-4 pb-3 sm:px-5">
            <LazyComponent
              component={lazyTickerSearch}
              props={{
                list,
                shouldFocus: open === 'search',
                onDone: isEmpty ? undefined : closeSearch,
                onFirstPick: () => setOpen('search'),
              }}
              fallback={<span className="skeleton h-10 w-full" />}
              onClose={isEmpty ? undefined : closeSearch}
            />
          </div>
        )}
        {hasOfflineAdds && <LazyComponent component={lazyOfflineAdds} props={{}} {...errorProps} />}
        {open === 'edit' && (
          <LazyComponent
            component={lazyEditWatchlist}
            props={{ list, sort: choices.sort, onClose: close }}
            {...errorProps}
            onClose={close}
          />
        )}
        {open === 'import' && (
          <LazyComponent component={lazyImportList} props={{ list, onClose: close }} {...errorProps} onClose={close} />
        )}
        {!isEmpty && (
          <>
            {list.tier_stale && (
              <p className="px-4 pb-2 text-small text-warn sm:px-5">
                We cannot check your plan right now. Your list uses the last known plan; adding is paused.
              </p>
            )}
            {list.history === 'unavailable' && (
              <p className="px-4 pb-2 text-small text-ink-faint sm:px-5">Charts are temporarily unavailable.</p>
            )}
            {deferredList.locked_count < deferredList.item_count && (
              <Rows list={deferredList} choices={choices} onChoose={choose} reports={reports} />
            )}
            {isShortList(list) && open !== 'search' && <AddTickerRow onClick={openSearch} />}
            <LockedRows list={deferredList} onChoose={() => setOpen('edit')} />
          </>
        )}
      </div>
    </>
  );

  function openSearch(): void {
    setOpen('search');
    capture('watchlist_search_opened', list);
  }
}

const EmptyWatchlist = () => (
  <div className="px-4 pb-3 sm:px-5">
    <p className="text-title font-semibold tracking-tight">Start your watchlist</p>
    <p className="text-small text-ink-soft">
      Follow stocks, ETFs, mutual funds and bonds without owning them.
      <span className="max-sm:hidden"> They never count towards your net worth.</span>
    </p>
  </div>
);
