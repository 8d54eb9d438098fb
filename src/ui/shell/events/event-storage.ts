import type { EventProperties } from '../../../platform/analytics/contract.ts';
import { readStored, writeStored } from '../../kit/browser-storage.ts';

/** An event with the id and the time that it keeps until the service has it. */
export interface StoredEvent {
  id: string;
  /** ISO 8601, by the browser's clock. */
  occurred_at: string;
  event: string;
  properties: EventProperties;
}

/** Each event has a key of its own, so that tabs which write at the same time lose nothing: `<member>.<ms>.<id>`. */
const KEY_PREFIX = 'tally.event.';

/** When the event of a key happened, in ms since 1970. */
export const getKeyTime = (key: string): number => Number(key.split('.').at(-2));

/** The events that wait in this browser, shared by its tabs. */
class EventStorage {
  /** Keys of events that this page has captured and not sent yet. */
  readonly capturedKeys = new Set<string>();
  /** Events that could not be stored, the storage being blocked or full: they live as long as the page. */
  readonly #inPage = new Map<string, string>();

  add(member: string, event: StoredEvent): void {
    const key = `${KEY_PREFIX}${member}.${Date.parse(event.occurred_at)}.${event.id}`;
    const text = JSON.stringify(event);
    writeStored(key, text);
    if (readStored(key) === null) this.#inPage.set(key, text);
    this.capturedKeys.add(key);
  }

  /** Keys of the waiting events, the oldest first; of one member or of all. */
  keys(member?: string): string[] {
    const prefix = member === undefined ? KEY_PREFIX : `${KEY_PREFIX}${member}.`;
    let stored: string[] = [];
    try {
      stored = Object.keys(localStorage);
    } catch {
      // Blocked: there are only those of the page.
    }
    return [...stored, ...this.#inPage.keys()].filter((key) => key.startsWith(prefix)).sort();
  }

  /** The event of a key as JSON; null where another tab has removed it. */
  read(key: string): string | null {
    return this.#inPage.get(key) ?? readStored(key);
  }

  /** Removes events; all of this browser by default, as at sign-out. */
  remove(keys: readonly string[] = this.keys()): void {
    for (const key of keys) {
      this.#inPage.delete(key);
      this.capturedKeys.delete(key);
      writeStored(key, null);
    }
  }
}

export const eventStorage = new EventStorage();
export type { EventStorage };
