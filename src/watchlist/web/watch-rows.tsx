import { useCallback, useDeferredValue, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { ActiveItem, Watchlist } from '../contract.ts';
import { capture } from './capture.ts';
import { FocusKeepingList } from './focus-keeping-list.tsx';
import { preloadDetail } from './lazy-parts.ts';
import { ShownLine } from './line-figure.tsx';
import { ListControls } from './list-controls.tsx';
import { newYorkToday } from '../../web/lib/new-york-time.ts';
import { monthBefore } from './close-line.ts';
import { allUrgent, type IsUrgent, urgentRows, useKeyedRows } from './row-keys.ts';
import { nextLine } from './second-line.ts';
import { sortItems } from './sort-items.ts';
import type { ViewChoices } from './view-choices.ts';
import { WatchRow } from './watch-row.tsx';

interface WatchRowsProps {
  list: Watchlist;
  choices: ViewChoices;
  onChoose: (change: Partial<ViewChoices>) => void;
  reportDays: ReadonlyMap<string, number> | undefined;
}

/** The active rows under their controls. */
export function WatchRows({ list, choices, onChoose, reportDays }: WatchRowsProps) {
  const rows = useMemo(
    () => sortItems(list.items, choices.sort).filter((item): item is ActiveItem => !item.locked),
    [list.items, choices.sort],
  );
  const { line, sort } = choices;
  const listRef = useRef<HTMLUListElement>(null);
  const [isUrgent, setUrgent] = useState<IsUrgent>(() => allUrgent);
  const { items, keys } = useKeyedRows(sort, rows, isUrgent);
  const since = monthBefore(newYorkToday());
  // What stands under the prices follows in the same way.
  const lineElsewhere = useDeferredValue(line);
  // Of the three choices the rows speak of one alone, so it may wait: it follows once the figures have been drawn.
  const spoken = lineElsewhere === 'cap' ? lineElsewhere : 'percent';
  // The rows keep one function for good, so that a change of the list draws only the rows that it is about.
  const latest = useRef({ list, line, onChoose });
  useLayoutEffect(() => {
    latest.current = { list, line, onChoose };
  });
  const cycle = useCallback(() => {
    const now = latest.current;
    setUrgent(() => urgentRows(listRef.current));
    now.onChoose({ line: nextLine(now.line) });
    capture('watchlist_second_line_changed', now.list, { line: nextLine(now.line) });
  }, []);
  return (
    <>
      <ListControls
        sort={sort}
        line={line}
        onCycle={cycle}
        onSort={(next) => {
          setUrgent(() => urgentRows(listRef.current));
          onChoose({ sort: next });
          capture('watchlist_sort_changed', list, { sort: next });
        }}
      />
      <FocusKeepingList listRef={listRef} aria-label="Watched tickers" className="@container">
        {items.map((item, index) => (
          <ShownLine key={keys[index]} value={isUrgent(index) ? line : lineElsewhere}>
            <WatchRow
              item={item}
              line={spoken}
              reportDays={reportDays?.get(item.symbol)}
              since={since}
              onCycle={cycle}
              onPoint={preloadDetail}
            />
          </ShownLine>
        ))}
      </FocusKeepingList>
    </>
  );
}
