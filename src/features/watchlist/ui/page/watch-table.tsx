import { memo, useMemo, useRef } from 'react';
import { formatChange } from '../../../../ui/kit/formats.ts';
import { MissingFigure } from '../../../../ui/kit/missing-figure.tsx';
import { RovingFocusList } from '../../../../ui/kit/roving-focus-list.tsx';
import { SelectMenu } from '../../../../ui/kit/select-menu.tsx';
import { SortHeading } from '../../../../ui/kit/sort-heading.tsx';
import { getNewYorkToday } from '../../../../ui/kit/new-york-time.ts';
import { formatVolume } from '../../../../ui/kit/price-formats.ts';
import { computeChangePercent, getTrendClass, toneClasses } from '../../../../ui/kit/price-changes.ts';
import { SecurityLogo } from '../../../securities/ui/shared/security-logo.tsx';
import { preloadSecurityPanel } from '../../../../ui/shell/navigation/preload-security-panel.ts';
import { openAlertForm, useMaySetAlerts } from '../../../../ui/shell/alerts/alert-request.ts';
import type { ActiveItem } from '../../contract.ts';
import { formatRowLabel } from '../card/row-label.ts';
import { Sparkline } from '../card/sparkline.tsx';
import { useRowRendering } from '../card/use-row-rendering.ts';
import { AlertButton, EarningsChip, Price, TickerLink } from '../card/watch-row.tsx';
import type { WatchRowsProps } from '../card/watch-rows.tsx';
import { capture } from '../list/capture.ts';
import { filterClosesSince, subtractMonth } from '../list/closes.ts';
import { isPending } from '../list/item-labels.ts';
import { formatMonthRange } from '../list/month-range.ts';
import { formatSecondLine } from '../list/second-line.ts';
import type { ReportWithChip } from '../list/watchlist-query.ts';
import {
  getDirection,
  getNextSort,
  getSortOptions,
  isFigureSort,
  type SortableColumn,
  sortsByColumn,
  sortTableItems,
  type TableSort,
  useFigureSort,
} from './table-sort.ts';

const rowClass =
  'grid grid-cols-[minmax(0,17rem)_minmax(10rem,1fr)_7rem_7rem_11rem_5rem_6rem] items-center gap-x-3 border-t border-line px-5 ' +
  'max-[72rem]:grid-cols-[minmax(0,17rem)_minmax(9rem,1fr)_6.5rem_6.5rem_5rem_6rem]';
/** The month's range has no room on a narrow table. */
const rangeClass = 'max-[72rem]:hidden';

/** Shows the active rows as a table whose headings sort. The sort menu has the values of the card. */
export function WatchTable({ list, choices, onChoose, reports }: WatchRowsProps) {
  const [figureSort, setFigureSort] = useFigureSort();
  const sort: TableSort = figureSort ?? choices.sort;
  const since = subtractMonth(getNewYorkToday());
  const items = useMemo(
    () =>
      sortTableItems(
        list.items.filter((item): item is ActiveItem => !item.locked),
        sort,
        since,
      ),
    [list.items, sort, since],
  );
  const maySetAlerts = useMaySetAlerts();
  const listRef = useRef<HTMLElement>(null);
  const { rows, prioritizeViewport } = useRowRendering({ items, sort, line: 'percent', list: listRef });
  const choose = (next: TableSort): void => {
    prioritizeViewport();
    setFigureSort(isFigureSort(next) ? next : null);
    if (isFigureSort(next)) return;
    onChoose({ sort: next });
    capture('watchlist_sort_changed', list, { sort: next });
  };
  const renderHeading = (column: SortableColumn) => (
    <SortHeading
      label={sortsByColumn[column].label}
      direction={getDirection(column, sort)}
      align={column === 'name' ? 'start' : 'end'}
      onSort={() => choose(getNextSort(column, sort))}
    />
  );
  return (
    <>
      <div className="px-5 pb-1.5">
        <SelectMenu
          label="Sort watchlist"
          value={sort}
          options={getSortOptions(sort)}
          onChange={choose}
          className="-ms-2 text-ink-soft hover:text-ink"
          selectClassName="min-h-7 ps-2"
        />
      </div>
      <div role="table" aria-label="Watched tickers">
        <div role="rowgroup">
          <div role="row" className={`${rowClass} text-small text-ink-faint`}>
            {renderHeading('name')}
            {renderHeading('month')}
            {renderHeading('price')}
            {renderHeading('day')}
            <div role="columnheader" className={`text-end font-medium ${rangeClass}`}>
              Month range
            </div>
            {renderHeading('volume')}
            {renderHeading('cap')}
          </div>
        </div>
        <RovingFocusList listRef={listRef} isTable>
          {rows.map(({ key, item }) => (
            <TableRow
              key={key}
              item={item}
              report={reports?.get(item.symbol)}
              since={since}
              onAlert={maySetAlerts ? openAlertForm : undefined}
            />
          ))}
        </RovingFocusList>
      </div>
    </>
  );
}

interface TableRowProps {
  item: ActiveItem;
  /** Next report, if the row has an earnings chip. */
  report: ReportWithChip | undefined;
  /** First day of the past month, YYYY-MM-DD. */
  since: string;
  /** Opens the alerts of the ticker. Undefined if the member may set none. */
  onAlert: ((item: ActiveItem) => void) | undefined;
}

/** Shows one ticker as a link over the whole row. The height is fixed, as in the card. */
const TableRow = memo(function TableRow({ item, report, since, onAlert }: TableRowProps) {
  const isWaitingForNetwork = isPending(item) && !navigator.onLine;
  const label = formatRowLabel(item, 'percent', report, since);
  const closes = filterClosesSince(item.closes, since);
  const monthChange = computeChangePercent(closes);
  const monthRange = formatMonthRange(item, since);
  const hasHistory = item.asset_type === 'stock' || item.asset_type === 'etf';
  const noHistoryReason = hasHistory ? 'No price history yet' : 'Funds and bonds have no price history';
  return (
    <div
      role="row"
      className={`group ${rowClass} relative h-15 text-end [content-visibility:auto] hover:bg-sunken`}
      onPointerEnter={preloadSecurityPanel}
    >
      <div role="rowheader" className="flex min-w-0 items-center gap-3 text-start">
        <SecurityLogo symbol={item.symbol} logo={item.logo} />
        <div className="min-w-0 flex-1">
          <p className="flex items-center gap-1.5 whitespace-nowrap">
            <TickerLink symbol={item.symbol} label={`${label}${isWaitingForNetwork ? ', pending (offline)' : ''}`} />
            {report && <EarningsChip text={report.chip} />}
            {onAlert && <AlertButton item={item} onAlert={onAlert} />}
          </p>
          <p aria-hidden="true" className="truncate text-small text-ink-faint">
            {isWaitingForNetwork && <span className="text-warn">Pending (offline) </span>}
            {item.name ?? item.symbol}
          </p>
        </div>
      </div>
      <div role="cell" className="flex items-center justify-end gap-2 text-small">
        <Sparkline closes={item.closes} since={since} className="h-6.5 min-w-18 flex-1" />
        <span className={`w-16 shrink-0 ${getTrendClass(monthChange ?? 0)}`}>
          {monthChange === null ? <MissingFigure reason={noHistoryReason} /> : formatChange(monthChange)}
        </span>
      </div>
      <div role="cell" className="font-medium whitespace-nowrap">
        <Price item={item} />
      </div>
      <div role="cell" className={`whitespace-nowrap ${toneClasses[formatSecondLine(item, 'percent').direction]}`}>
        {item.change_1d === null ? (
          <MissingFigure reason={hasHistory ? 'Previous close unknown' : 'Funds and bonds have no day change'} />
        ) : (
          <p className="font-medium">{formatSecondLine(item, 'percent').text}</p>
        )}
        {item.change_amount !== null && <p className="text-micro">{formatSecondLine(item, 'amount').text}</p>}
      </div>
      <div role="cell" className={`text-small whitespace-nowrap text-ink-soft ${rangeClass}`}>
        {monthRange ?? <MissingFigure reason={noHistoryReason} />}
      </div>
      <div role="cell" className="text-small text-ink-soft">
        {item.volume === null ? <MissingFigure reason="No volume known" /> : formatVolume(item.volume)}
      </div>
      <div role="cell" className="text-small text-ink-soft">
        {item.market_cap === null ? <MissingFigure reason="No market cap known" /> : formatSecondLine(item, 'cap').text}
      </div>
    </div>
  );
});
