/** `localStorage` is kept for good, `sessionStorage` as long as the tab. */
type Where = 'localStorage' | 'sessionStorage';

/** Reads a key of the browser's storage; null when it is absent or storage is blocked. */
export function readStored(key: string, where: Where = 'localStorage'): string | null {
  try {
    return window[where].getItem(key);
  } catch {
    return null;
  }
}

/** Writes a key, or removes it with null; a blocked or full storage is no failure of the page. */
export function writeStored(key: string, value: string | null, where: Where = 'localStorage'): void {
  try {
    if (value === null) window[where].removeItem(key);
    else window[where].setItem(key, value);
  } catch {
    // What is remembered here is a convenience only.
  }
}
