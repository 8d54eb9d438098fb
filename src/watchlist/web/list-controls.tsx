import { Icon } from '../../web/ui/icon.tsx';
import { type LineChoice, lineLabels } from './second-line.ts';
import { type SortChoice, sortLabels } from './sort-items.ts';

interface ListControlsProps {
  sort: SortChoice;
  line: LineChoice;
  onSort: (sort: SortChoice) => void;
  onCycle: () => void;
}

/** The line above the rows: the sort menu, and the button that cycles the second line of the price column. */
export function ListControls({ sort, line, onSort, onCycle }: ListControlsProps) {
  return (
    <div className="flex items-center justify-between gap-3 px-4 pb-1.5 sm:px-5">
      <label
        className={
          'relative -ms-2 inline-flex items-center rounded-control text-small ' +
          'text-ink-soft hover:bg-sunken hover:text-ink'
        }
      >
        <span className="sr-only">Sort</span>
        <select
          value={sort}
          onChange={(event) => onSort(event.target.value as SortChoice)}
          className={
            'min-h-7 cursor-pointer appearance-none [field-sizing:content] ' +
            'rounded-control bg-transparent ps-2 pe-7 font-medium text-inherit'
          }
        >
          {Object.entries(sortLabels).map(([value, label]) => (
            <option key={value} value={value} className="bg-raised text-ink">
              {label}
            </option>
          ))}
        </select>
        <span className="pointer-events-none absolute inset-y-0 end-2 grid place-items-center">
          <Icon name="chevron" size={12} />
        </span>
      </label>
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
        <Icon name="swap" size={12} />
      </button>
    </div>
  );
}
