/** `localStorage` persists. `sessionStorage` lasts as long as the tab. */
type StorageArea = 'localStorage' | 'sessionStorage';

/** Reads a key of the browser's storage. Returns null if the key is absent or storage is blocked. */
export function readStored(key: string, area: StorageArea = 'localStorage'): string | null {
  try {
    return window[area].getItem(key);
  } catch {
    return null;
  }
}

/** Writes a key, or removes the key if the value is null. Blocked or full storage is ignored. */
export function writeStored(key: string, value: string | null, area: StorageArea = 'localStorage'): void {
  try {
    if (value === null) window[area].removeItem(key);
    else window[area].setItem(key, value);
  } catch {
    // Stored values are a convenience only.
  }
}

/** Returns the stored keys, or none if storage is blocked. */
export function readStoredKeys(): string[] {
  try {
    return Object.keys(window.localStorage);
  } catch {
    return [];
  }
}
