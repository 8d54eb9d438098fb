import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { addDialogEntry } from './dialog-history.ts';
import { openDialogs } from './open-dialogs.ts';
import { Toaster } from './toaster.tsx';
import { followTypedText, type TypedText } from './typed-text.ts';

interface DialogProps {
  title: string;
  /** Called on Escape and by every control that closes the dialog. Omit for a dialog that requires a decision. */
  onClose?: () => void;
  /** Class for another shape than the centered box, such as a sheet at the side. */
  className?: string;
  /** Whether the heading takes the focus first. Use if the first control does not explain the dialog. */
  startsAtHeading?: boolean;
  /** Whether the page's address opens the panel. Back then closes it by the address. */
  hasUrl?: boolean;
  children: ReactNode;
}

/**
 * Modal dialog on the native `<dialog>` element, which traps the focus, restores it, and makes the rest of the page
 * inert. Back and Escape close it, and ask first if that would lose typed text.
 */
export function Dialog({
  title,
  onClose,
  className = '',
  startsAtHeading = false,
  hasUrl = false,
  children,
}: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const typedText = useRef<TypedText>(null);
  const [isAsking, setAsking] = useState(false);
  const id = useId();

  /** Closes the dialog. Returns false if it stays open. */
  function requestClose(): boolean {
    if (!onClose) return false;
    if (!hasUrl && typedText.current?.isChanged()) {
      setAsking(true);
      return false;
    }
    onClose();
    return true;
  }
  const onBack = useEffectEvent(requestClose);
  useEffect(() => (hasUrl ? undefined : addDialogEntry(() => onBack())), [hasUrl]);

  useEffect(() => {
    const dialog = element.current;
    const previousFocus = document.activeElement;
    dialog?.showModal();
    if (startsAtHeading) document.getElementById(id)?.focus();
    openDialogs.set([...openDialogs.get(), id]);
    typedText.current = dialog && followTypedText(dialog);
    return () => {
      typedText.current?.stop();
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
        // Browsers close a dialog on the second Escape, also without permission. `onClose` then decides, since a
        // question that opens before would lie below the dialog that opens again.
        if (!event.cancelable) return;
        event.preventDefault();
        requestClose();
      }}
      onClose={(event) => {
        // In development React runs effects twice, and the first `close` event fires when the dialog is open again.
        if (event.target !== element.current || event.currentTarget.open) return;
        // A dialog that requires a decision opens again.
        if (!requestClose() && element.current?.isConnected && !element.current.open) element.current.showModal();
      }}
    >
      <h2 id={id} tabIndex={startsAtHeading ? -1 : undefined} className="text-title font-semibold tracking-tight">
        {title}
      </h2>
      {children}
      {isAsking && <DiscardQuestion onKeep={() => setAsking(false)} onDiscard={onClose} />}
      <Toaster dialogId={id} />
    </dialog>
  );
}

interface DiscardQuestionProps {
  onKeep: () => void;
  onDiscard: (() => void) | undefined;
}

/** Asks before typed text is lost. */
export const DiscardQuestion = ({ onKeep, onDiscard }: DiscardQuestionProps) => (
  <Dialog title="Discard what you typed?" onClose={onKeep}>
    <p className="mt-2 text-ink-soft">It has not been saved.</p>
    <div className="mt-5 flex flex-wrap justify-end gap-2">
      <Button onClick={onKeep}>Keep editing</Button>
      <Button variant="danger" onClick={onDiscard}>
        Discard
      </Button>
    </div>
  </Dialog>
);
