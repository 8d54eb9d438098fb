import { useRef } from 'react';
import { Button } from '../../../../ui/kit/button.tsx';
import { useAnnouncer } from '../../../../ui/kit/use-announcer.tsx';
import { Dialog } from '../../../../ui/kit/dialog.tsx';
import type { Watchlist } from '../../contract.ts';
import { useConfirmRemoval } from '../list/confirm-removal.tsx';
import { EditRow } from './edit-row.tsx';
import { formatShortName } from '../../../securities/ui/shared/security-labels.ts';
import { formatListCount, isShortList } from '../list/item-labels.ts';
import TickerSearch from '../search/ticker-search.tsx';
import { type SortChoice, sortLabels } from '../list/sort-items.ts';
import { useRowActions } from './use-row-actions.ts';
import { useSortableList } from './use-sortable-list.ts';

export interface EditWatchlistProps {
  list: Watchlist;
  /** Sort of the card. The editor always changes My order. */
  sort: SortChoice;
  onClose: () => void;
}

/** Editor to remove and reorder rows. Each change is saved at once. Of several quick moves only the last is saved. */
export default function EditWatchlist({ list, sort, onClose }: EditWatchlistProps) {
  const scrollContainer = useRef<HTMLDivElement>(null);
  const { announce, liveRegion } = useAnnouncer();
  const { getIndex, getName, moveTo, remove, lastRemoval } = useRowActions(list, scrollContainer, announce);
  const { items, limit } = list;
  const count = items.length;
  const removal = useConfirmRemoval(list, remove);
  const sortable = useSortableList({
    count,
    getScrollContainer: () => scrollContainer.current,
    getIndex,
    onMove: moveTo,
    onChange(change, symbol, to) {
      const name = getName(symbol);
      const positionLabel = `position ${to + 1} of ${count}`;
      const messageByChange = {
        'picked-up': `${name} picked up, ${positionLabel}. Arrows move it, Enter drops it, Escape cancels.`,
        moved: `${name}, ${positionLabel}`,
        dropped: `${name} dropped, ${positionLabel}`,
        canceled: `Canceled, ${name} is back at ${positionLabel}`,
      };
      announce(messageByChange[change]);
    },
  });

  return (
    <Dialog
      title="Edit watchlist"
      onClose={onClose}
      startsAtHeading
      className="w-[min(30rem,calc(100vw-1.5rem))] p-0 flex-col overflow-hidden open:flex [&>h2]:px-5 [&>h2]:pt-4"
    >
      <p className="px-5 pb-3 text-small text-ink-faint">
        {count > limit
          ? `The first ${limit} are active. Move the ones you want above the line.`
          : 'Drag rows by the handle, use the Move menu, or press Space and the arrow keys.'}
        {sort !== 'mine' && ` You are editing “My order”. The card is sorted by ${sortLabels[sort]}.`}
      </p>
      {liveRegion}
      <div
        ref={scrollContainer}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain border-y border-line"
        tabIndex={-1}
      >
        {count === 0 && <p className="px-5 py-6 text-center text-ink-soft">Your watchlist is empty.</p>}
        <ol aria-label="Order of the watchlist" className="relative">
          {items.map((item, index) => (
            <EditRow
              key={item.symbol}
              item={item}
              index={index}
              count={count}
              drag={sortable.drag}
              translateY={sortable.getTranslateY(index)}
              isAnimated={sortable.isAnimated(index)}
              handle={sortable.getHandleProps(item.symbol, index)}
              activeLimit={count > limit && index === limit - 1 ? limit : null}
              onMove={(to) => moveTo(item.symbol, to)}
              onRemove={() => removal.request(item)}
            />
          ))}
        </ol>
        {isShortList(list) && (
          <div className="px-4 py-3">
            <TickerSearch list={list} shouldFocus={false} onRemove={(item) => remove(item, { keepFocus: true })} />
          </div>
        )}
      </div>
      <div className="flex min-h-14 items-center gap-3 px-5 py-2">
        <p className="min-w-0 flex-1 truncate text-small text-ink-soft">
          {lastRemoval ? (
            <>
              {`${formatShortName(lastRemoval.item)} removed. `}
              {count < limit && (
                <button type="button" className="link font-medium" onClick={lastRemoval.undo.run}>
                  Undo
                </button>
              )}
            </>
          ) : (
            formatListCount(list)
          )}
        </p>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </div>
      {removal.dialog}
    </Dialog>
  );
}
