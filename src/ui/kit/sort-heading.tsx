import { Icon } from './icon.tsx';

interface SortHeadingProps {
  label: string;
  /** Direction of the rows. Null if another column sorts them. */
  direction: 'ascending' | 'descending' | null;
  /** Texts start and figures end at the edge of their column. */
  align: 'start' | 'end';
  /** Absent if something else sorts the rows. The heading is then a text. */
  onSort?: (() => void) | undefined;
  className?: string;
}

/** Heading of a table's column, whose button sorts the rows. */
export function SortHeading({ label, direction, align, onSort, className = '' }: SortHeadingProps) {
  return (
    <div
      role="columnheader"
      aria-sort={direction ?? undefined}
      className={`${align === 'start' ? 'text-start' : 'text-end'} ${className}`}
    >
      {onSort === undefined ? (
        <span className="inline-flex min-h-10 items-center font-medium whitespace-nowrap">{label}</span>
      ) : (
        <button
          type="button"
          className={
            '-mx-1.5 inline-flex min-h-10 items-center gap-1 rounded-control px-1.5 font-medium whitespace-nowrap ' +
            `hover:bg-sunken hover:text-ink ${direction ? 'text-ink' : ''} ${align === 'start' ? '' : 'flex-row-reverse'}`
          }
          onClick={onSort}
        >
          {label}
          <span className={`${direction ? '' : 'invisible'} ${direction === 'ascending' ? 'rotate-180' : ''}`}>
            <Icon name="chevron" size={12} />
          </span>
        </button>
      )}
    </div>
  );
}
