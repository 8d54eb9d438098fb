import { memo } from 'react';
import type { PortfolioHolding } from '../../contract.ts';
import { Icon } from '../../../../ui/kit/icon.tsx';
import { calculateWeight, type HoldingGroup } from './group-holdings.ts';
import {
  type CellContext,
  DayFigure,
  GainFigure,
  getMissingWeightReason,
  PriceFigure,
  TotalDay,
  TotalGainFigure,
  TotalValue,
  ValueFigure,
  WeightFigure,
} from './holding-cells.tsx';
import { HoldingName } from './holding-name.tsx';
import { type Column, columnLabels, type PortfolioSort, startsDescending } from './portfolio-view.ts';
import { UnconvertedAmounts } from './unconverted-amounts.tsx';

export interface HoldingRowsProps {
  /** Without groups, one group without heading. */
  groups: readonly HoldingGroup[];
  hasHeadings: boolean;
  /** Shown columns in order. The first is the holding. */
  columns: readonly Column[];
  context: CellContext;
  onOpen: (holding: PortfolioHolding) => void;
}

interface HoldingsTableProps extends HoldingRowsProps {
  sort: PortfolioSort;
  onSort: (sort: PortfolioSort) => void;
}

/** Widths of the columns. The holding takes the rest. */
const widthClasses: Readonly<Record<Column, string>> = {
  holding: '',
  price: 'w-[14%]',
  day: 'w-[13%]',
  value: 'w-[15%]',
  gain: 'w-[14%]',
  weight: 'w-[9%]',
  account: 'w-[15%]',
};
const cellClass = 'px-2 py-1.5 first:ps-4 last:pe-4 sm:first:ps-5 sm:last:pe-5';
const isText = (column: Column): boolean => column === 'holding' || column === 'account';

/** Shows the holdings as a table whose headings sort. Each group begins with a row of its totals. */
export function HoldingsTable({ groups, hasHeadings, columns, context, sort, onSort, onOpen }: HoldingsTableProps) {
  return (
    <table className="w-full table-fixed text-end">
      <caption className="sr-only">Holdings</caption>
      <thead>
        <tr className="text-small text-ink-faint">
          {columns.map((column) => (
            <SortHeading key={column} column={column} sort={sort} onSort={onSort} />
          ))}
        </tr>
      </thead>
      {groups.map((group) => (
        <tbody key={group.key}>
          {hasHeadings && <GroupHeading group={group} columns={columns} context={context} />}
          {group.holdings.map((holding) => (
            <TableRow key={holding.id} holding={holding} columns={columns} context={context} onOpen={onOpen} />
          ))}
        </tbody>
      ))}
    </table>
  );
}

interface SortHeadingProps {
  column: Column;
  sort: PortfolioSort;
  onSort: (sort: PortfolioSort) => void;
}

/** Shows a heading whose button sorts by its column, and reverses the order on a second press. */
function SortHeading({ column, sort, onSort }: SortHeadingProps) {
  const isSorted = sort.column === column;
  const direction = sort.descending ? 'descending' : 'ascending';
  return (
    <th
      scope="col"
      aria-sort={isSorted ? direction : undefined}
      className={`${cellClass} py-0.5 font-medium ${widthClasses[column]} ${isText(column) ? 'text-start' : ''}`}
    >
      <button
        type="button"
        className={`-mx-1.5 inline-flex min-h-9 items-center gap-1 rounded-control px-1.5 hover:bg-sunken hover:text-ink ${isSorted ? 'text-ink' : ''} ${isText(column) ? '' : 'flex-row-reverse'}`}
        onClick={() => onSort({ column, descending: isSorted ? !sort.descending : startsDescending(column) })}
      >
        {columnLabels[column]}
        <span className={`${isSorted ? '' : 'invisible'} ${sort.descending ? '' : 'rotate-180'}`}>
          <Icon name="chevron" size={12} />
        </span>
      </button>
    </th>
  );
}

interface GroupHeadingProps {
  group: HoldingGroup;
  columns: readonly Column[];
  context: CellContext;
}

function GroupHeading({ group, columns, context }: GroupHeadingProps) {
  const { totals } = group;
  const { privacy } = context;
  const renderTotal = (column: Column) => {
    switch (column) {
      case 'day':
        return <TotalDay totals={totals} privacy={privacy} />;
      case 'value':
        return <TotalValue totals={totals} privacy={privacy} />;
      case 'gain':
        return <TotalGainFigure totals={totals} privacy={privacy} />;
      case 'weight':
        return <WeightFigure weight={calculateWeight(totals?.value, context.total)} reason="No value" />;
      default:
        return null;
    }
  };
  return (
    <tr className="border-t border-line bg-sunken align-top">
      <th scope="rowgroup" className={`${cellClass} text-start`}>
        <span className="block truncate font-semibold">{group.label}</span>
        <span className="block text-micro font-normal text-ink-faint">{formatHoldingCount(group.holdings.length)}</span>
        <UnconvertedAmounts amounts={group.unconverted} privacy={privacy} className="text-micro font-normal" />
      </th>
      {columns.slice(1).map((column) => (
        <td key={column} className={cellClass}>
          {renderTotal(column)}
        </td>
      ))}
    </tr>
  );
}

export const formatHoldingCount = (count: number): string => (count === 1 ? '1 holding' : `${count} holdings`);

interface TableRowProps {
  holding: PortfolioHolding;
  columns: readonly Column[];
  context: CellContext;
  onOpen: (holding: PortfolioHolding) => void;
}

const TableRow = memo(function TableRow({ holding, columns, context, onOpen }: TableRowProps) {
  return (
    <tr className="border-t border-line hover:bg-sunken">
      <th scope="row" className={`${cellClass} relative text-start font-normal`}>
        <HoldingName holding={holding} onOpen={onOpen} />
      </th>
      {columns.slice(1).map((column) => (
        <td key={column} className={`${cellClass} ${isText(column) ? 'text-start' : ''}`}>
          <HoldingFigure holding={holding} column={column} context={context} />
        </td>
      ))}
    </tr>
  );
});

interface HoldingFigureProps {
  holding: PortfolioHolding;
  column: Column;
  context: CellContext;
}

/** Shows the figure of a holding that belongs to a column. */
export function HoldingFigure({ holding, column, context }: HoldingFigureProps) {
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
      return (
        <WeightFigure
          weight={calculateWeight(holding.base?.value, context.total)}
          reason={getMissingWeightReason(holding)}
        />
      );
    case 'account':
      return <span className="line-clamp-2 text-small text-ink-soft">{holding.account_name}</span>;
    case 'holding':
      return null;
  }
}
