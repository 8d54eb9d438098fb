import { readStored, writeStored } from '../../kit/browser-storage.ts';
import { createStore } from '../../kit/store.ts';

const PRIVACY_KEY = 'tally.privacy';

/** Whether the member's own amounts are hidden in this browser; kept, so that a reload in public shows nothing. */
export const privacyMode = createStore(readStored(PRIVACY_KEY) === '1');

export function setPrivacyMode(isOn: boolean): void {
  privacyMode.set(isOn);
  writeStored(PRIVACY_KEY, isOn ? '1' : null);
}

/** Follows what is chosen in another tab. */
export function followPrivacyMode(): void {
  addEventListener('storage', (event) => {
    if (event.key === PRIVACY_KEY) privacyMode.set(readStored(PRIVACY_KEY) === '1');
  });
}
