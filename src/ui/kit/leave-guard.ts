import { createStore } from './store.ts';

/** The way out that waits for an answer whether typed text may be lost, or null. */
export const leaveRequest = createStore<{ leave: () => void } | null>(null);

let findUnsaved: () => boolean = () => false;

/** Sets the function that tells whether the page has typed text that is not saved. */
export function setUnsavedCheck(check: () => boolean): void {
  findUnsaved = check;
}

/** Asks before typed text is lost. Returns false if nothing would be lost, so that the page can be left at once. */
export function askBeforeLeaving(leave: () => void): boolean {
  if (!findUnsaved()) return false;
  leaveRequest.set({ leave });
  return true;
}
