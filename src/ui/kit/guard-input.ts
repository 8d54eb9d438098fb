import { addDialogEntry } from './dialog-history.ts';
import { askBeforeLeaving, setUnsavedCheck } from './leave-guard.ts';
import { followTypedText } from './typed-text.ts';

/** The guarded forms on the page. Each returns whether it has typed text that is not saved. */
const forms = new Set<() => boolean>();

const hasUnsavedInput = (): boolean => [...forms].some((isUnsaved) => isUnsaved());

/**
 * Ref of a form on a page, or of a part with text fields. Links, Back, and closing the tab ask before typed text is lost.
 * Sent input counts as saved unless the form shows a problem. A form in a dialog is guarded by the dialog.
 */
export function guardInput(form: HTMLElement | null): (() => void) | undefined {
  if (!form || form.closest('dialog')) return undefined;
  const typed = followTypedText(form);
  let isSent = false;
  let removeEntry: (() => void) | undefined;
  const isUnsaved = (): boolean => typed.isChanged() && (!isSent || form.querySelector('[role=alert]') !== null);

  function onBack(): boolean {
    // The entries of the question and of the form come before the page that the member leaves to.
    if (askBeforeLeaving(() => history.go(-3))) return false;
    removeEntry?.();
    removeEntry = undefined;
    setTimeout(() => history.back());
    return true;
  }

  const events = new AbortController();
  const { signal } = events;
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
  addEventListener('beforeunload', (event) => isUnsaved() && event.preventDefault(), { signal });
  forms.add(isUnsaved);
  setUnsavedCheck(hasUnsavedInput);
  return () => {
    events.abort();
    typed.stop();
    forms.delete(isUnsaved);
    removeEntry?.();
  };
}
