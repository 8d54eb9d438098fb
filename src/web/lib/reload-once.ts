import { reload } from './location.ts';

const KEY = 'tally:reloaded-at';
/** A second failure within this time is told instead of loading on and on. */
const AGAIN_AFTER_MS = 30_000;

/**
 * For a page's code that did not arrive: loads the page anew, once, which is all that helps. The browser remembers a module that
 * failed (while the connection was away, say), and after an update the old file is gone. Throws the error where that was tried just now.
 */
export function reloadOnce(error: unknown): Promise<never> {
  if (!navigator.onLine || !mayReload()) throw error;
  reload();
  return new Promise(() => {});
}

function mayReload(): boolean {
  try {
    if (Date.now() - Number(sessionStorage.getItem(KEY)) < AGAIN_AFTER_MS) return false;
    sessionStorage.setItem(KEY, String(Date.now()));
    return true;
  } catch {
    return false;
  }
}
