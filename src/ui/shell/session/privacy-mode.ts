import { readStored, writeStored } from '../../kit/browser-storage.ts';
import { createStore } from '../../kit/store.ts';

const KEY = 'tally.privacy';

/** Whether the member's own amounts are hidden in this browser; kept, so that a reload in public shows nothing. */
export const privacyMode = createStore(readStored(KEY) === '1');

export function setPrivacyMode(on: boolean): void {
  privacyMode.set(on);
  writeStored(KEY, on ? '1' : null);
}

/** Follows what is chosen in another tab. */
export function followPrivacyMode(): void {
  addEventListener('storage', (event) => {
    if (event.key === KEY) privacyMode.set(readStored(KEY) === '1');
  });
}
