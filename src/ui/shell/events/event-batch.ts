import type { StoredEvent } from './event-storage.ts';

/** Bounds of one call; browsers carry on with 64 KiB of calls in all when their page is closed. */
export const MAX_BATCH_EVENTS = 50;
const MAX_BATCH_CHARACTERS = 24 * 1024;

interface Batch {
  /** By their keys. */
  events: Map<string, StoredEvent>;
  /** Keys of what is no event. */
  invalid: string[];
}

/** The oldest of these events, as many as one call takes. */
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
 * How many events the next batch may have. A refused batch is bisected until the event that it was refused for is
 * alone; from then on batches grow again.
 */
export function bisectBatch(maxEvents: number, size: number, isRejected: boolean): number {
  return isRejected && size > 1 ? Math.floor(size / 2) : Math.min(MAX_BATCH_EVENTS, maxEvents * 2);
}
