import { addDialogEntry } from './dialog-history.ts';
import { askBeforeLeaving, setUnsavedCheck } from './leave-guard.ts';
import { followTypedText } from './typed-text.ts';

/** The guarded forms on the page. Each returns whether it has typed text that is not saved. */
const forms = new Set<() => boolean>();

/** Removes the entry of the history that all guarded forms of the page share. */
let removeEntry: (() => void) | undefined;

const hasUnsavedInput = (): boolean => [...forms].some((isUnsaved) => isUnsaved());

function onBack(): boolean {
  // The entries of the question and of the forms come before the page that the member leaves to.
  const isAsked = askBeforeLeaving(() => {
    // The browser must not ask again when the page before is another document.
    forms.clear();
    history.go(-3);
  });
  if (isAsked) return false;
  releaseEntry();
  setTimeout(() => history.back());
  return true;
}

function releaseEntry(): void {
  removeEntry?.();
  removeEntry = undefined;
}

/**
 * Ref of a form on a page, or of a part with text fields. Links, Back, and closing the tab ask before typed text is lost.
 * Sent input counts as saved unless the form shows a problem. A form in a dialog is guarded by the dialog.
 */
export function guardInput(form: HTMLElement | null): (() => void) | undefined {
  if (!form || form.closest('dialog')) return undefined;
  const typed = followTypedText(form);
  let isSent = false;
  const isSaved = (): boolean => isSent && form.querySelector('[role=alert]') === null;
  const isUnsaved = (): boolean => typed.isChanged() && !isSaved();

  const events = new AbortController();
  const { signal } = events;
  // Runs before the listener that notes the text of the field.
  form.addEventListener('beforeinput', () => isSaved() && typed.renew(), { capture: true, signal });
  form.addEventListener(
    'input',
    () => {
      isSent = false;
      if (typed.isChanged()) removeEntry ??= addDialogEntry(onBack);
    },
    { signal },
  );
  form.addEventListener(
    'submit',
    () => {
      isSent = true;
    },
    { signal },
  );
  addEventListener('beforeunload', (event) => hasUnsavedInput() && event.preventDefault(), { signal });
  forms.add(isUnsaved);
  setUnsavedCheck(hasUnsavedInput);
  return () => {
    events.abort();
    typed.stop();
    forms.delete(isUnsaved);
    if (forms.size === 0) releaseEntry();
  };
}
