import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../../../../ui/kit/button.tsx';

/**
 * Shows several entries of which one can be edited. After a form closes, the list has the focus, since the button may
 * be gone.
 */
export function EditableList({
  label,
  emptyText,
  children,
}: {
  label: string;
  emptyText: string | false;
  children: ReactNode;
}) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) list.current?.focus();
  }, []);
  return (
    <ul ref={list} tabIndex={-1} aria-label={label} className="mt-3 divide-y divide-line border-y border-line">
      {children}
      {emptyText && <li className="py-3 text-ink-soft">{emptyText}</li>}
    </ul>
  );
}

interface EditableListRowProps {
  name: string;
  /** Accessible name of the button without its row. */
  label: string;
  /** Absent for entries that cannot be edited. */
  onEdit?: (() => void) | undefined;
  children: ReactNode;
}

/** Shows one entry: its name, a description and the button. */
export function EditableListRow({ name, label, onEdit, children }: EditableListRowProps) {
  return (
    <li className="flex items-center gap-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{name}</p>
        <div className="text-small text-ink-faint">{children}</div>
      </div>
      {onEdit && (
        <Button aria-label={label} onClick={onEdit}>
          Edit
        </Button>
      )}
    </li>
  );
}
