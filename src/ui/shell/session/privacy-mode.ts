import { readStored, writeStored } from '../../kit/browser-storage.ts';
import { createStore } from '../../kit/store.ts';

const PRIVACY_KEY = 'tally.privacy';

/**
 * Whether the member's own amounts are hidden in this browser. The value is stored, so that a reload in public shows no
 * amounts.
 */
export const privacyMode = createStore(readStored(PRIVACY_KEY) === '1');

export function setPrivacyMode(isOn: boolean): void {
  privacyMode.set(isOn);
  writeStored(PRIVACY_KEY, isOn ? '1' : null);
}

/** Follows changes in other tabs. */
export function followPrivacyMode(): void {
  addEventListener('storage', (event) => {
    if (event.key === PRIVACY_KEY) privacyMode.set(readStored(PRIVACY_KEY) === '1');
  });
}
