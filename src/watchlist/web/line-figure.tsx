import { createContext, memo, useContext } from 'react';
import type { ActiveItem } from '../contract.ts';
import { type LineChoice, secondLine } from './second-line.ts';

/**
 * What every row shows under its price. A context, so that cycling it draws these figures anew and leaves the rows
 * alone.
 */
export const ShownLine = createContext<LineChoice>('percent');

const tone = { up: 'text-gain', down: 'text-loss', none: 'text-ink-faint' } as const;

/**
 * The figure under the price. For pointers alone: by keyboard and for screen readers the button above the column does
 * the same. It takes no focus.
 */
export const LineFigure = memo(function LineFigure({ item, onCycle }: { item: ActiveItem; onCycle: () => void }) {
  const { text, direction } = secondLine(item, useContext(ShownLine));
  return (
    <button
      type="button"
      tabIndex={-1}
      className={`relative -me-1.5 rounded-control px-1.5 text-small font-medium hover:bg-surface ${tone[direction]}`}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onCycle}
    >
      {text}
    </button>
  );
});
