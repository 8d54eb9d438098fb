import type { EventProperties } from '../../../platform/analytics/contract.ts';
import { readStored, writeStored } from '../../kit/browser-storage.ts';

/** An event with the id and the time that it keeps until the service has it. */
export interface KeptEvent {
  id: string;
  /** ISO 8601, by the browser's clock. */
  occurred_at: string;
  event: string;
  properties: EventProperties;
}

/** Each event has a key of its own, so that tabs which write at the same time lose nothing: `<member>.<ms>.<id>`. */
const KEY_PREFIX = 'tally.event.';

/** Events that could not be stored, the storage being blocked or full, by their keys: they live as long as the page. */
const inPage = new Map<string, string>();

/** Keys of what this page has captured, and not handed to a call yet. */
export const ownKeys = new Set<string>();

/** Keeps an event of a member in this browser. */
export function keepEvent(member: string, event: KeptEvent): void {
  const key = `${KEY_PREFIX}${member}.${Date.parse(event.occurred_at)}.${event.id}`;
  const text = JSON.stringify(event);
  writeStored(key, text);
  if (readStored(key) === null) inPage.set(key, text);
  ownKeys.add(key);
}

/** Whether the browser asks not to be followed: `Sec-GPC`, or Do Not Track of older ones. */
export const declines = (): boolean =>
  (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl === true || navigator.doNotTrack === '1';

/** Holds a member whose switch is off, and when this browser heard so. */
const OFF_KEY = 'tally.events-off';
/** The answer is asked for again after a day: the switch may be turned in another browser. */
const OFF_MS = 24 * 60 * 60_000;

/** Whether this browser knows that the member's switch is off. */
export function isOff(member: string): boolean {
  const [who, at] = (readStored(OFF_KEY) ?? '').split(' ');
  return who === member && Date.now() - Number(at) < OFF_MS;
}

/** Keys of the events that wait in this browser, the oldest first; of one member or of all. */
export function keptKeys(member?: string): string[] {
  const prefix = member === undefined ? KEY_PREFIX : `${KEY_PREFIX}${member}.`;
  let stored: string[] = [];
  try {
    stored = Object.keys(localStorage);
  } catch {
    // Blocked: there are only those of the page.
  }
  return [...stored, ...inPage.keys()].filter((key) => key.startsWith(prefix)).sort();
}

/** When the event of a key happened, in ms since 1970. */
export const timeOfKey = (key: string): number => Number(key.split('.').at(-2));

/** What is kept under a key, as JSON; null where another tab has taken it out. */
export const readKept = (key: string): string | null => inPage.get(key) ?? readStored(key);

/** Takes events out; all of this browser by default, as at sign-out. */
export function dropEvents(keys: readonly string[] = keptKeys()): void {
  for (const key of keys) {
    inPage.delete(key);
    ownKeys.delete(key);
    writeStored(key, null);
  }
}

/** Remembers the member's switch, in all tabs at once; what waits is dropped where it is off. */
export function noteSwitch(member: string, enabled: boolean): void {
  writeStored(OFF_KEY, enabled ? null : `${member} ${Date.now()}`);
  if (!enabled) dropEvents();
}
