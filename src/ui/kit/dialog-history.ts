/** State of an entry of the browser's history. Keys identify dialogs and panels. */
interface EntryState {
  /** Key of the page, which the entries of its dialogs and panels share. */
  page?: string | undefined;
  /** Key of the dialog or panel that was opened with this entry. */
  dialog?: string;
  /** Key of the dialog that was opened from this entry, so that its entry follows and Back from it leads here. */
  base?: string;
  /** The address opens the panel, so Back and Forward close and open it by themselves. */
  panel?: boolean;
  /** The dialog was closed, but not by Back. Back skips the entry, and the next dialog or page replaces it. */
  spare?: boolean;
}

interface OpenDialog {
  key: string;
  /** Closes the dialog, or returns false if it stays open for a question. */
  onBack: () => boolean;
}

const readState = (): EntryState => (history.state as EntryState | null) ?? {};

let openDialogs: readonly OpenDialog[] = [];
/** State of the entry before a `popstate` event, which reports only the new one. */
let current: EntryState = {};
let keyCount = 0;
let isStarted = false;

/** Starts to close dialogs on Back. Further calls do nothing. */
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

/** Closes a dialog whose entry Back has left. Adds the entry again if the dialog stays open. */
function closeByBack(dialog: OpenDialog): void {
  const state = { dialog: dialog.key };
  if (!dialog.onBack()) {
    pushState(state);
    return;
  }
  // A dialog of several steps may go one step back instead, which shows after its render.
  setTimeout(() => {
    if (openDialogs.includes(dialog) && readState().base === dialog.key) pushState(state);
  });
}

/** Adds an entry for a dialog, or for a panel with its address. Replaces a spare entry. Returns the key of the dialog. */
export function pushEntry(options: Pick<EntryState, 'panel'> = {}, url?: string): string {
  startDialogHistory();
  const state = readState();
  if (state.spare && state.dialog !== undefined) {
    replaceState({ dialog: state.dialog, ...options }, url);
    return state.dialog;
  }
  keyCount += 1;
  const key = `${performance.timeOrigin} ${keyCount}`;
  replaceState({ ...state, base: key });
  pushState({ dialog: key, ...options }, url);
  return key;
}

/** Marks the entry of a closed dialog or panel as spare. Sets the address without the panel. */
export function releaseEntry(url?: string): void {
  const state = readState();
  replaceState(state.dialog === undefined ? state : { ...state, spare: true }, url);
}

/** Adds the entry of an opened dialog. Returns a function to call after the dialog has closed. */
export function addDialogEntry(onBack: () => boolean): () => void {
  const dialog = { key: pushEntry(), onBack };
  openDialogs = [...openDialogs, dialog];
  return () => {
    openDialogs = openDialogs.filter((other) => other !== dialog);
    // After Back or a navigation the current entry is another one.
    if (readState().dialog === dialog.key) releaseEntry();
  };
}

/** Returns whether the current entry belongs to a dialog or a closed panel, so that the next page replaces it. */
export function isEntryOfDialog(): boolean {
  const { dialog, panel, spare } = readState();
  return dialog !== undefined && (!panel || spare === true);
}

/** Takes over the entry's state after a navigation, for which browsers send no event. */
export function followNavigation(): void {
  current = readState();
}

function pushState(state: EntryState, url?: string): void {
  current = { page: current.page, ...state };
  history.pushState(current, '', url);
}

function replaceState(state: EntryState, url?: string): void {
  current = { page: current.page, ...state };
  history.replaceState(current, '', url);
}
