/**
 * State of an entry of the browser's history. `dialog` identifies the dialog or panel that was opened with the entry,
 * and `base` the one that was opened on top of it. Back leads from a dialog to its base.
 */
interface EntryState {
  dialog?: string;
  base?: string;
  /** The address opens the panel, so Back and Forward close and open it by themselves. */
  panel?: boolean;
  /** The dialog was closed in another way than by Back. The entry is skipped, or taken by the next dialog or page. */
  spare?: boolean;
}

interface OpenDialog {
  key: string;
  /** Closes the dialog, or returns false if it stays open for a question. */
  onBack: () => boolean;
}

const readState = (): EntryState => (history.state as EntryState | null) ?? {};

let openDialogs: readonly OpenDialog[] = [];
let current: EntryState = {};
let keyCount = 0;
let isStarted = false;

/** Lets Back close the dialog that was opened last. */
export function startDialogHistory(): void {
  if (isStarted) return;
  isStarted = true;
  current = readState();
  // Runs before other listeners, which then read the final address.
  addEventListener('popstate', onPopState, { capture: true });
}

function onPopState(): void {
  const left = current;
  current = readState();
  if (left.dialog === undefined || current.base !== left.dialog) return;
  const dialog = openDialogs.find(({ key }) => key === left.dialog);
  if (dialog) closeByBack(dialog);
  else if (left.spare || !left.panel) history.back();
}

function closeByBack(dialog: OpenDialog): void {
  const state = { dialog: dialog.key };
  if (!dialog.onBack()) pushState(state);
  else
    setTimeout(() => {
      // Some dialogs go one step back instead.
      if (openDialogs.includes(dialog) && readState().base === dialog.key) pushState(state);
    });
}

/** Adds an entry for a dialog, or for a panel with its address. Takes the place of a spare entry. */
export function pushEntry(more: EntryState = {}, url?: string): string {
  startDialogHistory();
  const state = readState();
  if (state.spare && state.dialog !== undefined) {
    replaceState({ dialog: state.dialog, ...more }, url);
    return state.dialog;
  }
  keyCount += 1;
  const key = `${performance.timeOrigin} ${keyCount}`;
  replaceState({ ...state, base: key });
  pushState({ dialog: key, ...more }, url);
  return key;
}

/** Marks the entry of a closed dialog or panel as spare. Sets the address without the panel. */
export function releaseEntry(url?: string): void {
  const state = readState();
  replaceState(state.dialog === undefined ? state : { ...state, spare: true }, url);
}

/** Adds the entry of an opened dialog. Returns the function to call after its closing. */
export function addDialogEntry(onBack: () => boolean): () => void {
  const dialog = { key: pushEntry(), onBack };
  openDialogs = [...openDialogs, dialog];
  return () => {
    openDialogs = openDialogs.filter((other) => other !== dialog);
    // After Back or a navigation the current entry is another one.
    if (readState().dialog === dialog.key) releaseEntry();
  };
}

/** Returns whether the next page takes the place of the current entry, which belongs to a dialog. */
export function isEntryOfDialog(): boolean {
  const { dialog, panel, spare } = readState();
  return dialog !== undefined && (!panel || spare === true);
}

/** Reads the state that a navigation has set. */
export function followNavigation(): void {
  current = readState();
}

function pushState(state: EntryState, url?: string): void {
  history.pushState(state, '', url);
  current = state;
}

function replaceState(state: EntryState, url?: string): void {
  history.replaceState(state, '', url);
  current = state;
}
