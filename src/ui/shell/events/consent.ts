import { readStored, writeStored } from '../../kit/browser-storage.ts';
import { eventStorage } from './event-storage.ts';

/** Returns whether the browser declines tracking: `Sec-GPC`, or Do Not Track in older browsers. */
export const hasDoNotTrack = (): boolean =>
  (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl === true || navigator.doNotTrack === '1';

/** Storage key of a member who has switched events off, with the time of that response. */
const CONSENT_OFF_KEY = 'tally.events-off';
/** Time in ms after which the switch is read again, because another browser may have changed it. */
const CONSENT_OFF_TTL_MS = 24 * 60 * 60_000;

/** Returns whether this browser has stored that the member's switch is off. */
export function isConsentOff(member: string): boolean {
  const [storedMember, storedAt] = (readStored(CONSENT_OFF_KEY) ?? '').split(' ');
  return storedMember === member && Date.now() - Number(storedAt) < CONSENT_OFF_TTL_MS;
}

/** Stores the member's switch for all tabs. If it is off, removes the queued events. */
export function storeConsent(member: string, enabled: boolean): void {
  writeStored(CONSENT_OFF_KEY, enabled ? null : `${member} ${Date.now()}`);
  if (!enabled) eventStorage.remove();
}
