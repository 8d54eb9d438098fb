import { readStored, writeStored } from '../../kit/browser-storage.ts';
import { eventStorage } from './event-storage.ts';

/** Whether the browser asks not to be followed: `Sec-GPC`, or Do Not Track of older ones. */
export const declinesTracking = (): boolean =>
  (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl === true || navigator.doNotTrack === '1';

/** Holds a member whose switch is off, and when this browser heard so. */
const OFF_KEY = 'tally.events-off';
/** The answer is asked for again after a day: the switch may be turned in another browser. */
const OFF_MS = 24 * 60 * 60_000;

/** Whether this browser knows that the member's switch is off. */
export function isSwitchedOff(member: string): boolean {
  const [who, at] = (readStored(OFF_KEY) ?? '').split(' ');
  return who === member && Date.now() - Number(at) < OFF_MS;
}

/** Stores the member's switch for all tabs; removes the waiting events where it is off. */
export function storeSwitch(member: string, enabled: boolean): void {
  writeStored(OFF_KEY, enabled ? null : `${member} ${Date.now()}`);
  if (!enabled) eventStorage.remove();
}
