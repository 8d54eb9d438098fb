import type { EventProperties } from '../../../platform/analytics/contract.ts';
import { readStored, writeStored } from '../../kit/browser-storage.ts';

/** Event with its id and time, which do not change until the service confirms the event. */
export interface StoredEvent {
  id: string;
  /** ISO 8601 time of the browser's clock. */
  occurred_at: string;
  event: string;
  properties: EventProperties;
}

/** Key prefix. Each event has its own key `<member>.<ms>.<id>`, so that concurrent tabs lose nothing. */
const KEY_PREFIX = 'tally.event.';

/** Returns the time of a key's event in ms since 1970. */
export const getKeyTime = (key: string): number => Number(key.split('.').at(-2));

/** Events that are queued in this browser, shared by its tabs. */
class EventStorage {
  /** Keys of events that this page captured and has not sent. */
  readonly capturedKeys = new Set<string>();
  /** Events that could not be stored because storage is blocked or full. They last as long as the page. */
  readonly #memoryEvents = new Map<string, string>();

  add(member: string, event: StoredEvent): void {
    const key = `${KEY_PREFIX}${member}.${Date.parse(event.occurred_at)}.${event.id}`;
    const text = JSON.stringify(event);
    writeStored(key, text);
    if (readStored(key) === null) this.#memoryEvents.set(key, text);
    this.capturedKeys.add(key);
  }

  /** Returns the keys of queued events, oldest first, of one member or of all members. */
  keys(member?: string): string[] {
    const prefix = member === undefined ? KEY_PREFIX : `${KEY_PREFIX}${member}.`;
    let stored: string[] = [];
    try {
      stored = Object.keys(localStorage);
    } catch {
      // Storage is blocked, so only the events in memory exist.
    }
    return [...stored, ...this.#memoryEvents.keys()].filter((key) => key.startsWith(prefix)).sort();
  }

  /** Returns the event of a key as JSON, or null if another tab has removed the event. */
  read(key: string): string | null {
    return this.#memoryEvents.get(key) ?? readStored(key);
  }

  /** Removes events. By default, removes all events of this browser, as at sign-out. */
  remove(keys: readonly string[] = this.keys()): void {
    for (const key of keys) {
      this.#memoryEvents.delete(key);
      this.capturedKeys.delete(key);
      writeStored(key, null);
    }
  }
}

export const eventStorage = new EventStorage();
export type { EventStorage };
