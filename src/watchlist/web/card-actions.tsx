import type { ReactNode } from 'react';
import type { IconName } from '../../web/ui/icon.tsx';
import { Icon } from '../../web/ui/icon.tsx';

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
