import { readStored, writeStored } from './browser-storage.ts';
import { PartMissing } from './import-part.ts';
import { reload } from './location.ts';

const KEY = 'tally.reloaded-at';
/** A second failure within this time is told instead of loading on and on. */
const AGAIN_AFTER_MS = 30_000;

/**
 * For code that this page cannot get any more, as its file is gone after an update: loads the page anew, once. Throws
 * the error where asking again may help, and where the page was loaded anew just now.
 */
export function reloadIfStale(error: unknown): Promise<never> {
  const mayArrive = error instanceof PartMissing && !error.gone;
  if (mayArrive || !navigator.onLine || !mayReload()) throw error;
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
