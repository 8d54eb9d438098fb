import type { ReactNode } from 'react';
import { Card } from '../../../ui/kit/card.tsx';
import { ErrorMessage } from '../../../ui/kit/error-message.tsx';
import { ScrollTable, type ScrollTableProps } from '../../../ui/kit/scroll-table.tsx';
import { Skeleton } from '../../../ui/kit/skeleton.tsx';
import type { Loaded } from './use-load.ts';

interface SectionProps<T> {
  title: string;
  loaded: Loaded<T>;
  children(data: T): ReactNode;
}

/** Card with data that it loads. */
export function Section<T>({ title, loaded, children }: SectionProps<T>) {
  const { data, error, reload } = loaded;
  return (
    <Card title={title}>
      {error !== undefined && <ErrorMessage error={error} retry={reload} />}
      {data === undefined && error === undefined && <Skeleton lines={3} label={`Loading ${title.toLowerCase()}`} />}
      {data !== undefined && children(data)}
    </Card>
  );
}

interface OperatorTableProps extends Pick<ScrollTableProps, 'rows'> {
  caption: string;
  /** Names of the columns. A name in a list of one is that of figures. */
  columns: readonly (string | readonly [figures: string])[];
  emptyText: string;
}

/** Table whose first cell of a row is its heading, or a sentence if there are no rows. */
export function OperatorTable({ caption, columns, rows, emptyText }: OperatorTableProps) {
  if (rows.length === 0) return <p className="text-ink-soft">{emptyText}</p>;
  return (
    <ScrollTable
      label={caption}
      hasRowHeadings
      columns={columns.map((column) =>
        typeof column === 'string'
          ? { key: column, heading: column }
          : { key: column[0], heading: column[0], kind: 'figure' },
      )}
      rows={rows}
    />
  );
}

/** Text of a cell that is wrapped from a minimum width on. */
export const LongText = ({ children }: { children: ReactNode }) => (
  <span className="block min-w-40 wrap-anywhere">{children}</span>
);

/** Text of a cell in one line. */
export const WholeText = ({ children }: { children: ReactNode }) => (
  <span className="whitespace-nowrap">{children}</span>
);

/** Shows an instant in UTC to the minute, as the commands do. */
export const formatTime = (time: string | null): string => (time === null ? '–' : time.slice(0, 16).replace('T', ' '));
