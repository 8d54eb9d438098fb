import type { ReactNode } from 'react';
import { Icon, type IconName } from '../../web/ui/icon.tsx';
import { preloadSearch } from './lazy-parts.ts';

interface IconButtonProps {
  icon: IconName;
  label: string;
  onClick: () => void;
  onNear?: () => void;
  expanded?: boolean;
}

/** A small button in the card's head; its code is fetched when a pointer or the focus comes near. */
export function IconButton({ icon, label, onClick, onNear, expanded }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-expanded={expanded}
      title={label}
      className="grid size-9 place-items-center rounded-control text-ink-soft hover:bg-sunken hover:text-ink"
      onClick={onClick}
      onPointerEnter={onNear}
      onFocus={onNear}
    >
      <Icon name={icon} />
    </button>
  );
}

/** Several of them at the end of the head. */
export function CardActions({ children }: { children: ReactNode }) {
  return <div className="-me-2 flex items-center">{children}</div>;
}

/** Under a short list: where the next ticker would stand. */
export const AddRow = ({ onClick }: { onClick: () => void }) => (
  <button
    type="button"
    onClick={onClick}
    onPointerEnter={preloadSearch}
    onFocus={preloadSearch}
    className={
      'flex h-13 w-full items-center gap-3 border-t border-line px-4 text-small ' +
      'font-medium text-ink-soft hover:bg-sunken hover:text-ink sm:px-5'
    }
  >
    <span className="grid size-8 shrink-0 place-items-center rounded-control border border-dashed border-line-strong">
      <Icon name="plus" size={14} />
    </span>
    Add a ticker
  </button>
);
