import { type FocusEvent, useRef } from 'react';
import { closeToast, pauseToasts, type Toast, toasts, resumeToasts } from './toasts.ts';
import { openDialogs } from './open-dialogs.ts';
import { useStore } from './use-store.ts';
import { Icon } from './icon.tsx';

const toneClasses = { plain: 'border-s-accent', good: 'border-s-gain', bad: 'border-s-loss' } as const;

interface ToasterProps {
  /** Id of the dialog that contains this corner. null for the page. */
  dialogId?: string | null;
}

/**
 * Corner with the toasts. As a live region, it announces them. The toasts are in the uppermost dialog, because the
 * content below is inert.
 */
export function Toaster({ dialogId = null }: ToasterProps) {
  const topDialogId = useStore(openDialogs).at(-1) ?? null;
  const allToasts = useStore(toasts);
  const visibleToasts = topDialogId === dialogId ? allToasts : [];
  const previousFocus = useRef<EventTarget | null>(null);

  function onFocusEnter({ currentTarget, relatedTarget }: FocusEvent): void {
    if (!currentTarget.contains(relatedTarget)) previousFocus.current = relatedTarget;
    pauseToasts();
  }

  /** The toast disappears with the pressed button, so the focus returns to its previous element. */
  function close({ id }: Toast): void {
    closeToast(id);
    resumeToasts();
    if (previousFocus.current instanceof HTMLElement && previousFocus.current.isConnected)
      previousFocus.current.focus({ preventScroll: true });
    else if (topDialogId === null) document.getElementById('main')?.focus({ preventScroll: true });
  }

  return (
    // The handlers only track whether the pointer or the focus is inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      role="status"
      // The default of a status is atomic: a new toast would repeat the older toasts.
      aria-atomic="false"
      onFocus={onFocusEnter}
      onBlur={resumeToasts}
      onPointerOver={pauseToasts}
      onPointerLeave={({ currentTarget }) => !currentTarget.contains(document.activeElement) && resumeToasts()}
      className="fixed inset-x-4 bottom-(--toasts-bottom,1rem) z-20 grid justify-items-end gap-2 pointer-events-none"
    >
      {visibleToasts.map((toast) => (
        <div
          key={toast.id}
          className={
            'pointer-events-auto flex w-full max-w-sm items-start gap-3 rounded-control border ' +
            `border-s-4 border-line bg-raised px-4 py-3 text-small shadow-raised ${toneClasses[toast.tone]}`
          }
        >
          <p className="min-w-0 flex-1 wrap-anywhere">{toast.text}</p>
          {toast.action && (
            <button
              type="button"
              className="link -my-1 min-h-7 px-1 font-medium"
              onClick={() => {
                close(toast);
                toast.action?.run();
              }}
            >
              {toast.action.label}
            </button>
          )}
          <button
            type="button"
            aria-label="Close notification"
            onClick={() => close(toast)}
            className="-m-1 grid size-6 place-items-center rounded-control text-ink-faint hover:text-ink"
          >
            <Icon name="close" size={14} />
          </button>
        </div>
      ))}
    </div>
  );
}
