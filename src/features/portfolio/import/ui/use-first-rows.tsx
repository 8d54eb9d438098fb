import { type ReactNode, useState } from 'react';
import { formatInteger } from '../../../../ui/kit/formats.ts';

/** Rows of a list that are shown at first. */
const FIRST_ROWS = 20;

/** Returns the first rows of a long list, with a button that shows all of them. */
export function useFirstRows<Row>(rows: readonly Row[]): { shown: readonly Row[]; button: ReactNode } {
  const [isOpen, setIsOpen] = useState(false);
  if (rows.length <= FIRST_ROWS) return { shown: rows, button: null };
  return {
    shown: isOpen ? rows : rows.slice(0, FIRST_ROWS),
    button: (
      <button
        type="button"
        aria-expanded={isOpen}
        className="link mt-1 min-h-9 text-small font-medium"
        onClick={() => setIsOpen(!isOpen)}
      >
        {isOpen ? 'Show fewer' : `Show all ${formatInteger(rows.length)}`}
      </button>
    ),
  };
}
