import { useCallback, useLayoutEffect, useMemo, useRef } from 'react';
import { Icon } from '../../../../ui/kit/icon.tsx';
import type { ActiveItem, Watchlist } from '../../contract.ts';
import { capture } from '../list/capture.ts';
import { openAlertForm, useMaySetAlerts } from '../../../../ui/shell/alerts/alert-request.ts';
import { RovingFocusList } from '../../../../ui/kit/roving-focus-list.tsx';
import { SelectMenu } from '../../../../ui/kit/select-menu.tsx';
import { getNewYorkToday } from '../../../../ui/kit/new-york-time.ts';
import { subtractMonth } from '../list/closes.ts';
import { useRowRendering } from './use-row-rendering.ts';
import { lineLabels, getNextLine } from '../list/second-line.ts';
import { type SortChoice, sortItems, sortLabels } from '../list/sort-items.ts';
import type { ReportBySymbol } from '../list/watchlist-query.ts';
import type { ViewChoices } from './view-choices.ts';
import { SecondLineContext, WatchRow } from './watch-row.tsx';

export interface WatchRowsProps {
  list: Watchlist;
  choices: ViewChoices;
  onChoose: (change: Partial<ViewChoices>) => void;
  reports: ReportBySymbol | undefined;
}

/** Shows the active rows below their controls. */
export function WatchRows({ list, choices, onChoose, reports }: WatchRowsProps) {
  const items = useMemo(
    () => sortItems(list.items, choices.sort).filter((item): item is ActiveItem => !item.locked),
    [list.items, choices.sort],
  );
  const maySetAlerts = useMaySetAlerts();
  const { line, sort } = choices;
  const listRef = useRef<HTMLElement>(null);
  const { rows, deferredLine, prioritizeViewport } = useRowRendering({ items, sort, line, list: listRef });
  const since = subtractMonth(getNewYorkToday());
  // Only the market-cap choice changes the accessible label, so the label is deferred until the figures have rendered.
  const announcedLine = deferredLine === 'cap' ? deferredLine : 'percent';
  // The rows receive one stable function, so that a change of the list renders only the affected rows.
  const latest = useRef({ list, line, onChoose });
  useLayoutEffect(() => {
    latest.current = { list, line, onChoose };
  });
  const cycle = useCallback(() => {
    const current = latest.current;
    prioritizeViewport();
    current.onChoose({ line: getNextLine(current.line) });
    capture('watchlist_second_line_changed', current.list, { line: getNextLine(current.line) });
  }, [prioritizeViewport]);
  return (
    <>
      <ListControls
        sort={sort}
        line={line}
        onCycle={cycle}
        onSort={(next) => {
          prioritizeViewport();
          onChoose({ sort: next });
          capture('watchlist_sort_changed', list, { sort: next });
        }}
      />
      <RovingFocusList listRef={listRef} aria-label="Watched tickers" className="@container">
        {rows.map(({ key, item, line: rowLine }) => (
          <SecondLineContext key={key} value={rowLine}>
            <WatchRow
              item={item}
              line={announcedLine}
              report={reports?.get(item.symbol)}
              since={since}
              onCycle={cycle}
              onAlert={maySetAlerts ? openAlertForm : undefined}
            />
          </SecondLineContext>
        ))}
      </RovingFocusList>
    </>
  );
}

interface ListControlsProps extends ViewChoices {
  onSort: (sort: SortChoice) => void;
  onCycle: () => void;
}

/** Shows the controls above the rows: the sort menu, and the button that cycles the second line of the price column. */
function ListControls({ sort, line, onSort, onCycle }: ListControlsProps) {
  return (
    <div className="flex items-center justify-between gap-3 px-4 pb-1.5 sm:px-5">
      <SelectMenu
        label="Sort watchlist"
        value={sort}
        options={sortLabels}
        onChange={onSort}
        className="-ms-2 text-ink-soft hover:text-ink"
        selectClassName="min-h-7 ps-2"
      />
      <button
        type="button"
        onClick={onCycle}
        className={
          '-me-2 inline-flex min-h-7 items-center gap-1.5 rounded-control px-2 text-small ' +
          'font-medium text-ink-soft hover:bg-sunken hover:text-ink'
        }
      >
        <span className="sr-only">Shown under the price: </span>
        {lineLabels[line]}
        <Icon name="cycle" size={12} />
      </button>
    </div>
  );
}
