import { useMemo, useState } from 'react';
import { readStored, writeStored } from '../../../../../ui/kit/browser-storage.ts';
import { useMember } from '../../../../../ui/shell/session/session.ts';

/** Columns of the table with their headings. The first one is always shown. */
export const columnLabels = {
  holding: 'Holding',
  price: 'Price',
  day: 'Day',
  value: 'Value',
  gain: 'Gain',
  weight: '% of holdings',
  yield: 'Yield',
  account: 'Account',
} as const;
export type Column = keyof typeof columnLabels;

/** Columns that the table has only if the member chooses them. */
const columnsHiddenByDefault: readonly Column[] = ['yield'];

export const groupingLabels = {
  none: 'No groups',
  account: 'By account',
  class: 'By class',
  currency: 'By currency',
} as const;
export type Grouping = keyof typeof groupingLabels;

export interface PortfolioSort {
  column: Column;
  descending: boolean;
}

/** Choices of one member in this browser. */
export interface PortfolioView {
  sort: PortfolioSort;
  grouping: Grouping;
  /** Columns that are shown although hidden by default, or hidden although shown by default. */
  toggledColumns: readonly Column[];
}

export const defaultView: PortfolioView = {
  sort: { column: 'value', descending: true },
  grouping: 'account',
  toggledColumns: [],
};

/** Returns whether the member's choice shows a column. */
export const isColumnShown = ({ toggledColumns }: Pick<PortfolioView, 'toggledColumns'>, column: Column): boolean =>
  columnsHiddenByDefault.includes(column) === toggledColumns.includes(column);

/** Returns the toggled columns after one is shown or hidden. */
export const toggleColumn = ({ toggledColumns }: PortfolioView, column: Column): Column[] =>
  toggledColumns.includes(column)
    ? toggledColumns.filter((toggled) => toggled !== column)
    : [...toggledColumns, column];

/** Returns the columns to show. A table that is grouped by account names each account once. */
export const listShownColumns = (view: PortfolioView): Column[] =>
  (Object.keys(columnLabels) as Column[]).filter(
    (column) => isColumnShown(view, column) && !(column === 'account' && view.grouping === 'account'),
  );

/** Returns the direction of a column's first sort: texts ascend, figures descend. */
export const startsDescending = (column: Column): boolean => column !== 'holding' && column !== 'account';

/** Returns the member's view of this browser and a function that changes it. The service never receives the view. */
export function usePortfolioView(): [PortfolioView, (change: Partial<PortfolioView>) => void] {
  const key = `tally.portfolio.view.1.${useMember()?.userId ?? ''}`;
  const [chosen, setChosen] = useState<{ key: string; view: PortfolioView } | null>(null);
  const stored = useMemo(() => parseView(readStored(key)), [key]);
  const view = chosen?.key === key ? chosen.view : stored;
  const change = (changes: Partial<PortfolioView>): void => {
    const next = { ...view, ...changes };
    writeStored(key, JSON.stringify(next));
    setChosen({ key, view: next });
  };
  return [view, change];
}

/** Parses a stored view. Replaces values that no longer exist with the defaults. */
export function parseView(stored: string | null): PortfolioView {
  try {
    const { sort, grouping, toggledColumns, hiddenColumns } = (JSON.parse(stored ?? '{}') ?? {}) as Record<
      string,
      unknown
    >;
    return {
      sort: isSort(sort) ? { column: sort.column, descending: sort.descending } : defaultView.sort,
      grouping: isKeyOf(groupingLabels, grouping) ? grouping : defaultView.grouping,
      toggledColumns: parseColumns(toggledColumns ?? hiddenColumns),
    };
  } catch {
    return defaultView;
  }
}

/** Parses a list of columns. Older views have those that are hidden, all of which are shown by default. */
const parseColumns = (columns: unknown): Column[] => (Array.isArray(columns) ? columns.filter(isOptionalColumn) : []);

const isKeyOf = <Key extends string>(labels: Record<Key, string>, value: unknown): value is Key =>
  typeof value === 'string' && Object.hasOwn(labels, value);

const isOptionalColumn = (value: unknown): value is Column => isKeyOf(columnLabels, value) && value !== 'holding';

const isSort = (value: unknown): value is PortfolioSort =>
  typeof value === 'object' &&
  value !== null &&
  'column' in value &&
  'descending' in value &&
  isKeyOf(columnLabels, value.column) &&
  typeof value.descending === 'boolean';
