import { type ReactNode, useEffect, useId, useRef } from 'react';
import { openDialogs } from './open-dialogs.ts';
import { Toaster } from './toaster.tsx';

interface DialogProps {
  title: string;
  /** Called on Escape and by whatever closes the dialog; leave it out where the person has to decide. */
  onClose?: () => void;
  /** Another shape than the box in the middle, such as a sheet at the side. */
  className?: string;
  /** Its heading has the focus first, where the first control would say nothing of what the dialog is. */
  startsAtHeading?: boolean;
  children: ReactNode;
}

/** A modal on the platform's own `<dialog>`: it traps focus, gives it back, and makes the rest of the page inert. */
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
      // What opened it may be gone by what was done in it; the content is the next best place.
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
        // React hands on what happened to a dialog within this one.
        if (event.target !== element.current) return;
        event.preventDefault();
        onClose?.();
      }}
      onClose={(event) => {
        // In development React runs effects twice, and the first `close` event arrives when the dialog is open again.
        if (event.target !== element.current || event.currentTarget.open) return;
        // A browser closes on the second Escape whatever the page says; a dialog that must be answered opens again.
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
