import type { StoredEvent } from './event-storage.ts';

/** Limits of one call. Browsers complete at most 64 KiB of calls in total after a page is closed. */
export const MAX_BATCH_EVENTS = 50;
const MAX_BATCH_CHARACTERS = 24 * 1024;

interface Batch {
  /** Events by key. */
  events: Map<string, StoredEvent>;
  /** Keys of invalid entries. */
  invalid: string[];
}

/** Selects the oldest events that fit one call. */
export function selectBatch(waiting: readonly (readonly [key: string, json: string])[], maxEvents: number): Batch {
  const batch: Batch = { events: new Map(), invalid: [] };
  let characters = 0;
  for (const [key, json] of waiting) {
    characters += json.length;
    const isFull = batch.events.size === maxEvents || characters > MAX_BATCH_CHARACTERS;
    if (isFull && batch.events.size > 0) break;
    try {
      batch.events.set(key, JSON.parse(json) as StoredEvent);
    } catch {
      batch.invalid.push(key);
    }
  }
  return batch;
}

/**
 * Returns the size of the next batch. A rejected batch is bisected until the rejected event is isolated. Batches then
 * grow again.
 */
export function bisectBatch(maxEvents: number, size: number, isRejected: boolean): number {
  return isRejected && size > 1 ? Math.floor(size / 2) : Math.min(MAX_BATCH_EVENTS, maxEvents * 2);
}
