import { useId, useRef, useState } from 'react';
import { Icon } from '../../../../ui/kit/icon.tsx';
import { MaskedAmount } from '../../../../ui/kit/masked-amount.tsx';
import { useAnnouncer } from '../../../../ui/kit/use-announcer.tsx';
import type { ColumnRole, ImportResponse } from '../contract.ts';
import { columnNames, describeMissing, listUnchosen } from './import-texts.ts';

/** First values of a column that are shown. */
const SHOWN_VALUES = 3;

interface ColumnFieldsProps {
  table: ImportResponse['table'];
  /** Meaning of each column, as chosen so far. */
  columns: readonly ColumnRole[];
  /** Whether the member has chosen the columns, now or for an earlier file. */
  isChosen: boolean;
  /** Whether amounts are hidden. */
  privacy: boolean;
  onChange: (columns: ColumnRole[]) => void;
  /** Called when the columns shall be those that the file shows. */
  onReset: () => void;
}

/** Shows each column of the file with its first values, and selects its meaning. It is open while one is missing. */
export function ColumnFields({ table, columns, isChosen, privacy, onChange, onReset }: ColumnFieldsProps) {
  const id = useId();
  const isMissing = table.missing.length > 0;
  const missing = listUnchosen(table.missing, columns);
  const [isOpen, setOpen] = useState(isMissing);
  const [wasMissing, setWasMissing] = useState(isMissing);
  const summary = useRef<HTMLElement>(null);
  const { announce, liveRegion } = useAnnouncer();
  if (isMissing !== wasMissing) {
    setWasMissing(isMissing);
    if (isMissing) setOpen(true);
  }
  const names = columns.map((_, index) => table.header[index]?.trim() || `Column ${index + 1}`);

  /** A chosen meaning belongs to one column, so the columns that had it are ignored. */
  function choose(index: number, role: ColumnRole): void {
    const former = role === 'ignore' ? [] : [...columns.keys()].filter((other) => columns[other] === role);
    onChange(
      columns.map((other, place) => {
        if (place === index) return role;
        return former.includes(place) ? 'ignore' : other;
      }),
    );
    announce(former.length === 0 ? '' : `Ignored now: ${former.map((place) => names[place]).join(', ')}.`);
  }

  return (
    <details
      open={isOpen}
      className="group min-w-0 rounded-control border border-line"
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary
        ref={summary}
        className="flex min-h-9 items-center gap-2 rounded-control px-3 text-small hover:bg-sunken"
      >
        <span className="shrink-0 -rotate-90 text-ink-faint group-open:rotate-0">
          <Icon name="chevron" size={12} />
        </span>
        <span className="min-w-0 flex-1 font-medium">Columns</span>
        {missing.length > 0 && <span className="text-loss">{`Missing: ${describeMissing(missing)}`}</span>}
        {!isMissing && table.is_kept && <span className="text-ink-faint">As you chose before</span>}
      </summary>
      <ul aria-label="Columns" className="border-t border-line px-3 text-small">
        {columns.map((role, index) => (
          <li
            key={index}
            className="grid items-center gap-x-3 gap-y-1 border-t border-line py-2 first:border-0 sm:grid-cols-[1fr_12rem]"
          >
            <div className="min-w-0">
              <label htmlFor={`${id}-${index}`} className="block truncate font-medium">
                {names[index]}
              </label>
              <p id={`${id}-${index}-values`} className="truncate text-ink-faint">
                <MaskedAmount hidden={privacy} mask="88 · 88">
                  {listValues(table.sample, index)}
                </MaskedAmount>
              </p>
            </div>
            <select
              id={`${id}-${index}`}
              aria-describedby={`${id}-${index}-values`}
              className={`field ${role === 'ignore' ? 'text-ink-soft' : ''}`}
              value={role}
              // Only the options below can be chosen.
              onChange={({ target }) => choose(index, target.value as ColumnRole)}
            >
              {Object.entries(columnNames).map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </select>
          </li>
        ))}
      </ul>
      {isChosen && (
        <button
          type="button"
          className="link mx-3 mb-1 min-h-9 text-small font-medium"
          onClick={() => {
            // The button disappears with the choice.
            summary.current?.focus();
            onReset();
          }}
        >
          Use detected columns
        </button>
      )}
      {liveRegion}
    </details>
  );
}

/** Returns the first values of a column: `AAPL · MSFT`. */
function listValues(sample: ImportResponse['table']['sample'], index: number): string {
  const values = sample.flatMap((cells) => cells[index]?.trim() || []).slice(0, SHOWN_VALUES);
  return values.length === 0 ? 'Empty' : values.join(' · ');
}
