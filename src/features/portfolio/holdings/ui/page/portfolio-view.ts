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
  account: 'Account',
} as const;
export type Column = keyof typeof columnLabels;

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
  hiddenColumns: readonly Column[];
}

export const defaultView: PortfolioView = {
  sort: { column: 'value', descending: true },
  grouping: 'account',
  hiddenColumns: [],
};

/** Returns the columns to show. A table that is grouped by account names each account once. */
export const listShownColumns = ({ hiddenColumns, grouping }: PortfolioView): Column[] =>
  (Object.keys(columnLabels) as Column[]).filter(
    (column) => !hiddenColumns.includes(column) && !(column === 'account' && grouping === 'account'),
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
    const { sort, grouping, hiddenColumns } = (JSON.parse(stored ?? '{}') ?? {}) as Record<string, unknown>;
    return {
      sort: isSort(sort) ? { column: sort.column, descending: sort.descending } : defaultView.sort,
      grouping: isKeyOf(groupingLabels, grouping) ? grouping : defaultView.grouping,
      hiddenColumns: Array.isArray(hiddenColumns) ? hiddenColumns.filter(isOptionalColumn) : [],
    };
  } catch {
    return defaultView;
  }
}

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
