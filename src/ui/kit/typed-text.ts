type TextField = HTMLInputElement | HTMLTextAreaElement;

/** Follows which text fields of a form have been changed by typing. Searches do not count. */
export interface TypedText {
  /** Returns whether a field has another text than before the typing. */
  isChanged: () => boolean;
  /** Compares with the present texts from now on. */
  renew: () => void;
  stop: () => void;
}

/** Starts to follow the text fields of an element. */
export function followTypedText(element: HTMLElement): TypedText {
  const textBefore = new Map<TextField, string>();
  const onBeforeInput = ({ target }: Event): void => {
    if (isTextField(target) && !textBefore.has(target)) textBefore.set(target, target.value);
  };
  element.addEventListener('beforeinput', onBeforeInput);
  return {
    isChanged: () => [...textBefore].some(([field, text]) => field.isConnected && field.value !== text),
    renew: () => textBefore.clear(),
    stop: () => element.removeEventListener('beforeinput', onBeforeInput),
  };
}

const isTextField = (target: EventTarget | null): target is TextField =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && target.type !== 'search' && target.role !== 'combobox');
