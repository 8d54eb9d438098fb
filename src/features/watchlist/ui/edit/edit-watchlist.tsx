import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../../ui/kit/button.tsx';
import { Dialog } from '../../../../ui/kit/dialog.tsx';
import type { Watchlist, WatchlistItem } from '../../contract.ts';
import { useRemovalQuestion } from '../list/ask-removal.tsx';
import { useAddSymbol } from '../list/add-item.ts';
import { useMoveItem } from '../list/move-item.ts';
import { useRemoveItem } from '../list/remove-item.ts';
import { EditRow } from './edit-row.tsx';
import { countWords, isShort, shortName } from '../list/item-words.ts';
import SearchToAdd from '../search/search-to-add.tsx';
import { type SortChoice, sortLabels } from '../list/sort-items.ts';
import { useSortableRows } from './sortable-rows.ts';
import { offerUndo } from '../list/undo-stack.ts';
import { LIST } from '../list/watchlist-query.ts';

export interface EditWatchlistProps {
  list: Watchlist;
  /** How the card shows the list; what is put in order here is My order. */
  sort: SortChoice;
  onClose: () => void;
}

/** Remove and put in order. Each change is saved as it is made, the last of several in quick succession. */
export default function EditWatchlist({ list, sort, onClose }: EditWatchlistProps) {
  const move = useMoveItem();
  const remove = useRemoveItem();
  const add = useAddSymbol();
  const [said, setSaid] = useState('');
  // Taken back one after the other, the last one first.
  const [removed, setRemoved] = useState<readonly WatchlistItem[]>([]);
  /** The row whose handle gets the focus as soon as it stands. */
  const focusOn = useRef<string | null>(null);
  const part = useRef<HTMLDivElement>(null);
  const { items, limit } = list;
  const count = items.length;
  const queries = useQueryClient();
  // As it is when it is asked: keys can be faster than the screen, and a row that a change leaves alone keeps its old
  // handlers.
  const current = (): readonly WatchlistItem[] => queries.getQueryData<Watchlist>(LIST)?.items ?? items;
  const indexOf = (symbol: string): number => current().findIndex((item) => item.symbol === symbol);

  const nameOf = (symbol: string): string =>
    shortName(current().find((item) => item.symbol === symbol) ?? { symbol, name: null });

  function moveTo(symbol: string, to: number): void {
    const from = indexOf(symbol);
    dropFocus();
    move.mutate({ symbol, to });
    offerUndo(() => {
      dropFocus();
      move.mutate({ symbol, to: from });
      focusOn.current = symbol;
      setSaid(`${nameOf(symbol)} is back at position ${from + 1} of ${count}`);
    });
    focusOn.current = symbol;
    const crossed = from < limit !== to < limit && count > limit;
    setSaid(
      `${nameOf(symbol)} moved to position ${to + 1} of ` +
        `${count}${crossed ? (to < limit ? ', now active' : ', now locked') : ''}`,
    );
  }

  /**
   * Before a row moves: taken out of the document with the focus in it, it costs 65 ms on a slow phone until the
   * browser has blurred it and React has given the focus back, which goes to the handle anyway.
   */
  function dropFocus(): void {
    const { activeElement } = document;
    if (activeElement instanceof HTMLElement && part.current?.contains(activeElement)) activeElement.blur();
  }

  const rows = useSortableRows({
    count,
    scroller: () => part.current,
    indexOf,
    onMove: moveTo,
    say(what, symbol, to) {
      const name = nameOf(symbol);
      const place = `position ${to + 1} of ${count}`;
      const words = {
        taken: `${name} picked up, ${place}. Arrows move it, Enter drops it, Escape cancels.`,
        over: `${name}, ${place}`,
        dropped: `${name} dropped, ${place}`,
        cancelled: `Cancelled, ${name} is back at ${place}`,
      };
      setSaid(words[what]);
    },
  });

  // The focus goes with the row that was moved, or to the one that took the place of a removed one.
  useEffect(() => {
    if (focusOn.current === null) return;
    const row = part.current?.querySelector<HTMLElement>(`[data-handle="${CSS.escape(focusOn.current)}"]`);
    if (!row) return;
    focusOn.current = null;
    row.focus();
  });

  function take(item: WatchlistItem, focusNext = true): void {
    const next = current()[item.position] ?? current()[item.position - 2];
    // Seen at once, said when it is so.
    remove.mutateAsync(item).then(
      () => {
        setSaid(`${shortName(item)} removed`);
        offerUndo(() => undo(item));
      },
      () => undefined,
    );
    setRemoved((before) => [...before.filter(({ symbol }) => symbol !== item.symbol), item]);
    if (!focusNext) return;
    if (next) focusOn.current = next.symbol;
    else part.current?.focus();
  }

  function undo(item: WatchlistItem): void {
    setRemoved((before) => before.filter((other) => other !== item));
    focusOn.current = item.symbol;
    add.mutateAsync({ security: item, position: item.position }).then(
      ({ position }) => setSaid(`${shortName(item)} is back at position ${position}`),
      () => setRemoved((before) => [...before, item]),
    );
  }

  const removal = useRemovalQuestion(list, take);

  // One that was added again meanwhile needs no way back.
  const last = removed.findLast(({ symbol }) => !items.some((item) => item.symbol === symbol));

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
          : 'Drag a row by its handle, or move it by its Move menu.'}
        {sort !== 'mine' && ` This is My order; the card shows ${sortLabels[sort]}.`}
      </p>
      <p role="status" className="sr-only">
        {said}
      </p>
      <div ref={part} className="min-h-0 flex-1 overflow-y-auto overscroll-contain border-y border-line" tabIndex={-1}>
        {count === 0 && <p className="px-5 py-6 text-center text-ink-soft">Nothing is on the list.</p>}
        <ol aria-label="Order of the watchlist" className="relative">
          {items.map((item, index) => (
            <EditRow
              key={item.symbol}
              item={item}
              index={index}
              count={count}
              drag={rows.drag}
              shift={rows.shiftOf(index)}
              moves={rows.moves(index)}
              handle={rows.handle(item.symbol, index)}
              lastActive={count > limit && index === limit - 1 ? limit : null}
              onMove={(to) => moveTo(item.symbol, to)}
              onRemove={() => removal.remove(item)}
            />
          ))}
        </ol>
        {isShort(list) && (
          <div className="px-4 py-3">
            <SearchToAdd list={list} focused={false} onRemove={(item) => take(item, false)} />
          </div>
        )}
      </div>
      <div className="flex min-h-14 items-center gap-3 px-5 py-2.5">
        <p className="min-w-0 flex-1 truncate text-small text-ink-soft">
          {last ? (
            <>
              {`${shortName(last)} removed. `}
              {count < limit && (
                <button type="button" className="link font-medium" onClick={() => undo(last)}>
                  Undo
                </button>
              )}
            </>
          ) : (
            countWords(list)
          )}
        </p>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
      {removal.question}
    </Dialog>
  );
}
