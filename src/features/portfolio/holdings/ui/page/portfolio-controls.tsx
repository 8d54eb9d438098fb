import { useId } from 'react';
import { IconButton } from '../../../../../ui/kit/icon-button.tsx';
import { PopoverMenu } from '../../../../../ui/kit/popover-menu.tsx';
import { SelectMenu } from '../../../../../ui/kit/select-menu.tsx';
import type { PortfolioHolding } from '../../contract.ts';
import { type Dimension, dimensions, getGroup, type HoldingFilter } from './group-holdings.ts';
import {
  type Column,
  columnLabels,
  groupingLabels,
  isColumnShown,
  type PortfolioView,
  startsDescending,
  toggleColumn,
} from './portfolio-view.ts';

interface PortfolioControlsProps {
  /** Every holding of the member, for the options of the filters. */
  holdings: readonly PortfolioHolding[];
  view: PortfolioView;
  onChange: (change: Partial<PortfolioView>) => void;
  filter: HoldingFilter;
  onFilter: (dimension: Dimension, key: string | undefined) => void;
  /** Dimension of the allocation bar, whose list is its filter. */
  barDimension: Dimension;
  /** Whether a menu sorts, because no table heading does. */
  hasSortMenu: boolean;
}

const allLabels: Readonly<Record<Dimension, string>> = {
  account: 'All accounts',
  class: 'All classes',
  currency: 'All currencies',
};
const filterNames: Readonly<Record<Dimension, string>> = {
  account: 'Account',
  class: 'Asset class',
  currency: 'Currency',
};
const selectProps = { className: 'border border-line', selectClassName: 'min-h-8 ps-2 max-w-40 truncate' };
/** Value of a filter without a chosen group. A group's key is never this text. */
const ALL = '*';

/** Shows the grouping, the filters, the sort menu if needed, and the choice of columns. */
export function PortfolioControls(props: PortfolioControlsProps) {
  const { holdings, view, onChange, filter, onFilter, barDimension, hasSortMenu } = props;
  const id = useId();
  const menus = (
    <>
      <SelectMenu
        label="Group holdings"
        value={view.grouping}
        options={groupingLabels}
        onChange={(grouping) => onChange({ grouping })}
        {...selectProps}
      />
      {dimensions
        .filter((dimension) => dimension !== barDimension)
        .map((dimension) => (
          <FilterMenu
            key={dimension}
            dimension={dimension}
            holdings={holdings}
            chosen={filter[dimension]}
            onFilter={onFilter}
          />
        ))}
    </>
  );
  return (
    <div className="flex flex-wrap items-center gap-2">
      {hasSortMenu ? (
        <PopoverMenu menuId={id} icon="sort" label="Filter" showsLabel>
          <div className="grid gap-2 p-3">{menus}</div>
        </PopoverMenu>
      ) : (
        menus
      )}
      <div className="ms-auto flex items-center gap-1">
        {hasSortMenu && <SortMenu view={view} onChange={onChange} />}
        <ColumnMenu view={view} onChange={onChange} />
      </div>
    </div>
  );
}

interface FilterMenuProps {
  dimension: Dimension;
  holdings: readonly PortfolioHolding[];
  chosen: string | undefined;
  onFilter: (dimension: Dimension, key: string | undefined) => void;
}

/** Shows the groups of one dimension. A dimension with a single group needs no filter. */
function FilterMenu({ dimension, holdings, chosen, onFilter }: FilterMenuProps) {
  const groups = new Map(holdings.map((holding) => getGroup(holding, dimension)).map(({ key, label }) => [key, label]));
  if (groups.size < 2) return null;
  return (
    <SelectMenu
      label={filterNames[dimension]}
      value={chosen ?? ALL}
      options={{ [ALL]: allLabels[dimension], ...Object.fromEntries(groups) }}
      onChange={(key) => onFilter(dimension, key === ALL ? undefined : key)}
      {...selectProps}
    />
  );
}

interface MenuProps {
  view: PortfolioView;
  onChange: (change: Partial<PortfolioView>) => void;
}

function SortMenu({ view: { sort }, onChange }: MenuProps) {
  return (
    <>
      <SelectMenu
        label="Sort holdings"
        value={sort.column}
        options={columnLabels}
        onChange={(column) => onChange({ sort: { column, descending: startsDescending(column) } })}
        {...selectProps}
      />
      <IconButton
        icon="sort"
        label={sort.descending ? 'Sort ascending' : 'Sort descending'}
        onClick={() => onChange({ sort: { ...sort, descending: !sort.descending } })}
      />
    </>
  );
}

/** Shows which columns the table has. The holding is always shown. */
function ColumnMenu({ view, onChange }: MenuProps) {
  const id = useId();
  const optionalColumns = (Object.keys(columnLabels) as Column[]).filter((column) => column !== 'holding');
  return (
    <PopoverMenu menuId={id} icon="cards" label="Columns" showsLabel>
      <fieldset>
        <legend className="px-3 py-1 text-small text-ink-faint">Columns</legend>
        {optionalColumns.map((column) => (
          <label key={column} className="panel-row cursor-pointer">
            <input
              type="checkbox"
              checked={isColumnShown(view, column)}
              onChange={() => onChange({ toggledColumns: toggleColumn(view, column) })}
            />
            {columnLabels[column]}
          </label>
        ))}
      </fieldset>
    </PopoverMenu>
  );
}
