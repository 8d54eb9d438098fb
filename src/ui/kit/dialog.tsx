import { type ReactNode, useEffect, useId, useRef } from 'react';
import { openDialogs } from './open-dialogs.ts';
import { Toaster } from './toaster.tsx';

interface DialogProps {
  title: string;
  /** Called on Escape and by every control that closes the dialog. Omit for a dialog that requires a decision. */
  onClose?: () => void;
  /** Class for another shape than the centered box, such as a sheet at the side. */
  className?: string;
  /** Whether the heading takes the focus first. Use if the first control does not explain the dialog. */
  startsAtHeading?: boolean;
  children: ReactNode;
}

/**
 * Modal dialog on the native `<dialog>` element, which traps the focus, restores it, and makes the rest of the page
 * inert.
 */
export function Dialog({ title, onClose, className = '', startsAtHeading = false, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = element.current;
    const previousFocus = document.activeElement;
    dialog?.showModal();
    if (startsAtHeading) document.getElementById(id)?.focus();
    openDialogs.set([...openDialogs.get(), id]);
    return () => {
      openDialogs.set(openDialogs.get().filter((openId) => openId !== id));
      dialog?.close();
      // The element that opened the dialog may be removed. The main content then takes the focus.
      if (previousFocus instanceof HTMLElement && previousFocus.isConnected) previousFocus.focus();
      else document.getElementById('main')?.focus();
    };
  }, [id, startsAtHeading]);
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      className={`dialog ${className}`}
      onCancel={(event) => {
        // React bubbles the event of a nested dialog.
        if (event.target !== element.current) return;
        event.preventDefault();
        onClose?.();
      }}
      onClose={(event) => {
        // In development React runs effects twice, and the first `close` event fires when the dialog is open again.
        if (event.target !== element.current || event.currentTarget.open) return;
        // Browsers close a dialog on the second Escape and ignore `preventDefault`. A dialog that requires a decision
        // opens again.
        if (onClose) onClose();
        else if (element.current?.isConnected && !element.current.open) element.current.showModal();
      }}
    >
      <h2 id={id} tabIndex={startsAtHeading ? -1 : undefined} className="text-title font-semibold tracking-tight">
        {title}
      </h2>
      {children}
      <Toaster dialogId={id} />
    </dialog>
  );
}
