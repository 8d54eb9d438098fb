import { type AriaAttributes, type CSSProperties, memo } from 'react';
import { joinTabStops } from '../../../../../ui/kit/join-tab-stops.ts';
import { SortHeading } from '../../../../../ui/kit/sort-heading.tsx';
import { formatHoldingCount } from '../totals-changes.tsx';
import type { HeldPosition } from './list-positions.ts';
import { calculateGroupWeight } from './calculate-figures.ts';
import { countHoldings, type HoldingGroup } from './group-holdings.ts';
import { listIds } from './list-ids.ts';
import { toFigures } from './round-figures.ts';
import type { ShownHolding } from './round-holdings.ts';
import {
  type CellContext,
  DayFigure,
  GainFigure,
  HoldingWeight,
  PriceFigure,
  TotalDay,
  TotalGainFigure,
  TotalValue,
  ValueFigure,
  WeightFigure,
  YieldFigure,
} from './holding-cells.tsx';
import { HoldingName } from './holding-name.tsx';
import { type Column, columnLabels, type PortfolioSort, startsDescending } from './portfolio-view.ts';
import { RowBlocks } from './row-blocks.tsx';
import { UnconvertedAmounts } from './unconverted-amounts.tsx';

export interface HoldingRowsProps {
  /** A single group if the holdings are not grouped. */
  groups: readonly HoldingGroup<ShownHolding>[];
  hasHeadings: boolean;
  /** Shown columns in order. The first is the holding. */
  columns: readonly Column[];
  context: CellContext;
}

interface HoldingsTableProps extends HoldingRowsProps {
  sort: PortfolioSort;
  /** Absent if a menu sorts the rows. */
  onSort?: (sort: PortfolioSort) => void;
}

/** Widths of the columns beside the holding, in percent. */
const widthByColumn: Readonly<Record<Exclude<Column, 'holding'>, number>> = {
  price: 14,
  day: 13,
  value: 15,
  gain: 14,
  weight: 15,
  yield: 13,
  account: 11,
};
/** Width in percent that the other columns leave to the holding, at least. */
const MIN_HOLDING_WIDTH = 14;

/** Returns the grid tracks of columns, of which the first is the holding. */
function getTracks([, ...others]: readonly Column[]): string {
  const widths = others.map((column) => widthByColumn[column as keyof typeof widthByColumn]);
  const scale = Math.min(1, (100 - MIN_HOLDING_WIDTH) / widths.reduce((sum, width) => sum + width, 0));
  return ['minmax(0, 1fr)', ...widths.map((width) => `${Math.round(width * scale * 100) / 100}%`)].join(' ');
}

const rowClass = 'grid grid-cols-(--columns) items-center border-t border-line px-2 sm:px-3';
const cellClass = 'min-w-0 px-2';
const isText = (column: Column): boolean => column === 'holding' || column === 'account';

/**
 * Shows the holdings as a table whose headings sort. Each group begins with a row of its totals. The rows are grids
 * with the roles of a table, because a table element cannot contain blocks of rows.
 */
export function HoldingsTable({ sort, onSort, ...rows }: HoldingsTableProps) {
  const { columns } = rows;
  const direction = sort.descending ? 'descending' : 'ascending';
  return (
    <div
      role="table"
      aria-label="Holdings"
      aria-rowcount={1 + countHoldings(rows.groups) + (rows.hasHeadings ? rows.groups.length : 0)}
      className="text-end"
      style={{ '--columns': getTracks(columns) } as CSSProperties}
    >
      <div role="rowgroup">
        <div role="row" aria-rowindex={1} className={`${rowClass} border-transparent text-small text-ink-faint`}>
          {columns.map((column) => (
            <SortHeading
              key={column}
              label={columnLabels[column]}
              direction={sort.column === column ? direction : null}
              align={isText(column) ? 'start' : 'end'}
              className={cellClass}
              onSort={
                onSort &&
                (() =>
                  onSort({ column, descending: sort.column === column ? !sort.descending : startsDescending(column) }))
              }
            />
          ))}
        </div>
      </div>
      <TableBody {...rows} />
    </div>
  );
}

/** Is not rendered again when only the controls above it change. */
const TableBody = memo(function TableBody({ groups, hasHeadings, columns, context }: HoldingRowsProps) {
  const total = countHoldings(groups);
  return groups.map((group, position) => {
    const rowsAbove = countHoldings(groups.slice(0, position));
    // The table's headings are its first row.
    const headingIndex = 2 + rowsAbove + position;
    const firstIndex = hasHeadings ? headingIndex + 1 : headingIndex;
    return (
      <div key={position} role="rowgroup">
        {hasHeadings && <GroupHeading group={group} columns={columns} context={context} aria-rowindex={headingIndex} />}
        <RowBlocks
          rows={group.holdings}
          total={total}
          rowsAbove={rowsAbove}
          getHeight={(holding) => (hasBaseAmounts(holding, context) ? 4 : 3.5)}
        >
          {/* On a new sort, rows keep their elements and change their contents, since moved rows all need a layout. */}
          {(holding, index) => (
            <TableRow
              key={index}
              holding={holding}
              columns={columns}
              context={context}
              aria-rowindex={firstIndex + index}
            />
          )}
        </RowBlocks>
      </div>
    );
  });
});

/** Number of a row in the whole table, of which not all rows are rendered. */
type RowIndex = Pick<AriaAttributes, 'aria-rowindex'>;

interface GroupHeadingProps extends RowIndex {
  group: HoldingGroup;
  columns: readonly Column[];
  context: CellContext;
}

function GroupHeading({ group, columns, context, ...rowIndex }: GroupHeadingProps) {
  const { privacy } = context;
  const renderTotal = (column: Column) => {
    switch (column) {
      case 'day':
        return <TotalDay group={group} privacy={privacy} />;
      case 'value':
        return <TotalValue group={group} privacy={privacy} />;
      case 'gain':
        return <TotalGainFigure group={group} privacy={privacy} />;
      case 'weight':
        return (
          <WeightFigure
            weight={calculateGroupWeight(group, context.whole)}
            reason="No value"
            ids={listIds(group.holdings)}
            name={group.label}
          />
        );
      case 'yield':
        return <YieldFigure holdings={group.holdings} context={context} />;
      default:
        return null;
    }
  };
  return (
    <div ref={joinTabStops} role="row" {...rowIndex} className={`${rowClass} items-start bg-sunken py-1.5`}>
      <div role="rowheader" className={`${cellClass} text-start`}>
        <p className="truncate font-semibold">{group.label}</p>
        <p className="text-micro text-ink-faint">{formatGroupSize(group, context)}</p>
        <UnconvertedAmounts amounts={group.unconverted} privacy={privacy} className="text-micro" />
      </div>
      {columns.slice(1).map((column) => (
        <div key={column} role="cell" className={cellClass}>
          {renderTotal(column)}
        </div>
      ))}
    </div>
  );
}

/** Says how many holdings a group has, and that its totals are without the cash of its account. */
export const formatGroupSize = ({ holdings }: HoldingGroup, { hasCash }: CellContext): string =>
  `${formatHoldingCount(holdings.length)}${hasCash ? ', without cash' : ''}`;

/** Returns whether a row has amounts in the base currency as a third line. */
const hasBaseAmounts = ({ currency }: ShownHolding, context: CellContext): boolean => currency !== context.currency;

interface TableRowProps extends RowIndex {
  holding: ShownHolding;
  columns: readonly Column[];
  context: CellContext;
}

/** The height is fixed, so that the height of rows that are not rendered is known. */
const TableRow = memo(function TableRow({ holding, columns, context, ...rowIndex }: TableRowProps) {
  const heightClass = hasBaseAmounts(holding, context) ? 'h-16' : 'h-14';
  return (
    <div ref={joinTabStops} role="row" {...rowIndex} className={`${rowClass} ${heightClass} hover:bg-sunken`}>
      <div role="rowheader" className={`${cellClass} relative text-start`}>
        <HoldingName holding={holding} />
      </div>
      {columns.slice(1).map((column) => (
        <div key={column} role="cell" className={`${cellClass} ${isText(column) ? 'text-start' : ''}`}>
          <HoldingFigure holding={holding} column={column} context={context} />
        </div>
      ))}
    </div>
  );
});

interface HoldingFigureProps {
  holding: ShownHolding;
  column: Column;
  context: CellContext;
}

/** Shows the figure of a holding that belongs to a column. */
function HoldingFigure({ holding, column, context }: HoldingFigureProps) {
  switch (column) {
    case 'price':
      return <PriceFigure holding={holding} context={context} />;
    case 'day':
      return <DayFigure holding={holding} context={context} />;
    case 'value':
      return <ValueFigure holding={holding} context={context} />;
    case 'gain':
      return <GainFigure holding={holding} context={context} />;
    case 'weight':
      return <HoldingWeight holding={holding} context={context} />;
    case 'yield':
      return <YieldFigure holdings={[holding]} context={context} />;
    case 'account':
      return <span className="line-clamp-2 text-small text-ink-soft">{holding.account_name}</span>;
    case 'holding':
      return null;
  }
}

export interface PositionsTableProps {
  positions: readonly HeldPosition[];
  /** Column that sorts the positions. */
  sortColumn: Column;
  /** Base currency. */
  currency: string;
  isConnected: (position: HeldPosition) => boolean;
  privacy: boolean;
}

const positionColumns: readonly Column[] = ['holding', 'price', 'day', 'value', 'gain', 'weight'];

/** Shows positions, sorted by the card's menu, in the table of the portfolio. */
export function PositionsTable({ positions, sortColumn, currency, isConnected, privacy }: PositionsTableProps) {
  const holdings = positions.map((position) => toTableRow(position, isConnected(position)));
  return (
    <HoldingsTable
      groups={[{ key: '', label: '', totals: null, unconverted: [], exactValue: null, holdings }]}
      hasHeadings={false}
      columns={positionColumns}
      sort={{ column: sortColumn, descending: startsDescending(sortColumn) }}
      context={{ currency, whole: null, hasCash: false, privacy, incomes: new Map() }}
    />
  );
}

/** Returns a position as a row of the table. Its figures are in the base currency already, unless it has no rate. */
function toTableRow(position: HeldPosition, isConnected: boolean): ShownHolding {
  const { key, ids, priceCurrency, weight, partial } = position;
  return {
    ...position,
    id: key,
    account_id: '',
    account_name: '',
    logo_source: null,
    price_at: null,
    cost_basis: null,
    base: null,
    shown: toFigures(null),
    position: { ids, priceCurrency, weight, partial, isConnected },
  };
}
