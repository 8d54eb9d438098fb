import { readStored, writeStored } from './browser-storage.ts';
import { reload } from './location.ts';

const KEY = 'tally.reloaded-at';
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
  const now = Date.now();
  if (now - Number(readStored(KEY, 'sessionStorage')) < AGAIN_AFTER_MS) return false;
  writeStored(KEY, String(now), 'sessionStorage');
  // Where nothing can be kept, nothing would end the loading.
  return readStored(KEY, 'sessionStorage') === String(now);
}
