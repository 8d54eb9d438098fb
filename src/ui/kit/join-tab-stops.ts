const CONTROLS = 'a[href], button, summary';

/**
 * Ref of a row with several controls. Tab stops at one of them, and the arrow keys to the sides move between them. The
 * control that had the focus last is the tab stop.
 */
export function joinTabStops(row: HTMLElement | null): (() => void) | undefined {
  if (!row) return undefined;
  let tabStop: HTMLElement | undefined;

  function listControls(): HTMLElement[] {
    return [...row!.querySelectorAll<HTMLElement>(CONTROLS)];
  }

  function updateTabStops(): void {
    const controls = listControls();
    if (!tabStop || !controls.includes(tabStop)) [tabStop] = controls;
    for (const control of controls) control.tabIndex = control === tabStop ? 0 : -1;
  }

  function onFocus({ target }: FocusEvent): void {
    tabStop = target as HTMLElement;
    updateTabStops();
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = stepByKey[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const controls = listControls();
    const index = controls.indexOf(event.target as HTMLElement);
    const next = index === -1 ? undefined : controls[index + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  updateTabStops();
  row.addEventListener('focusin', onFocus);
  row.addEventListener('keydown', onKeyDown);
  const observer = new MutationObserver(updateTabStops);
  observer.observe(row, { childList: true, subtree: true });
  return () => {
    observer.disconnect();
    row.removeEventListener('focusin', onFocus);
    row.removeEventListener('keydown', onKeyDown);
  };
}

const stepByKey: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };
