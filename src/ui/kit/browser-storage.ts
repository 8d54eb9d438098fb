/** `localStorage` is kept for good, `sessionStorage` as long as the tab. */
type StorageArea = 'localStorage' | 'sessionStorage';

/** Reads a key of the browser's storage; null when it is absent or storage is blocked. */
export function readStored(key: string, area: StorageArea = 'localStorage'): string | null {
  try {
    return window[area].getItem(key);
  } catch {
    return null;
  }
}

/** Writes a key, or removes it with null; a blocked or full storage is no failure of the page. */
export function writeStored(key: string, value: string | null, area: StorageArea = 'localStorage'): void {
  try {
    if (value === null) window[area].removeItem(key);
    else window[area].setItem(key, value);
  } catch {
    // What is remembered here is a convenience only.
  }
}
