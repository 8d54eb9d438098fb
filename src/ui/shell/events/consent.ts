import { readStored, writeStored } from '../../kit/browser-storage.ts';
import { eventStorage } from './event-storage.ts';

/** Whether the browser asks not to be followed: `Sec-GPC`, or Do Not Track of older ones. */
export const hasDoNotTrack = (): boolean =>
  (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl === true || navigator.doNotTrack === '1';

/** Holds a member whose switch is off, and when this browser heard so. */
const CONSENT_OFF_KEY = 'tally.events-off';
/** The answer is asked for again after a day: the switch may be turned in another browser. */
const CONSENT_OFF_TTL_MS = 24 * 60 * 60_000;

/** Whether this browser knows that the member's switch is off. */
export function isConsentOff(member: string): boolean {
  const [storedMember, storedAt] = (readStored(CONSENT_OFF_KEY) ?? '').split(' ');
  return storedMember === member && Date.now() - Number(storedAt) < CONSENT_OFF_TTL_MS;
}

/** Stores the member's switch for all tabs; removes the waiting events where it is off. */
export function storeConsent(member: string, enabled: boolean): void {
  writeStored(CONSENT_OFF_KEY, enabled ? null : `${member} ${Date.now()}`);
  if (!enabled) eventStorage.remove();
}
