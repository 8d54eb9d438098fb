import type { ServiceSql } from '../database/roles.ts';
import { type CapturedEvent, insertEvents } from './queries.ts';

/**
 * Events in memory at a time, those being written among them; past them new ones are dropped, since a database that is
 * away must not fill it.
 */
const MAX_BUFFERED_EVENTS = 5_000;
/** Milliseconds in which events gather for one statement. */
const FLUSH_INTERVAL_MS = 200;

/** Writes events, also where a member is deleted in this very moment: sent again, the statement leaves theirs out. */
export async function writeEvents(sql: ServiceSql, events: readonly CapturedEvent[]): Promise<void> {
  await insertEvents(sql, events).catch((error: { code?: string }) =>
    error.code === '23503' ? insertEvents(sql, events) : Promise.reject(error),
  );
}

/**
 * Collects events and writes them in batches beside the requests that caused them. `failed` hears of events that were
 * lost.
 */
export function createEventBuffer(sql: ServiceSql, onFailure: (error: unknown, lostCount: number) => void) {
  let pendingEvents: CapturedEvent[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let bufferedCount = 0;

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const batch = pendingEvents;
    pendingEvents = [];
    if (batch.length === 0) return writing;
    return (writing = writing
      .then(() => writeEvents(sql, batch))
      .catch((error: unknown) => onFailure(error, batch.length))
      .finally(() => void (bufferedCount -= batch.length)));
  };

  return {
    add(event: CapturedEvent): void {
      if (bufferedCount >= MAX_BUFFERED_EVENTS)
        return onFailure(new Error('Too many events are waiting to be written.'), 1);
      bufferedCount += 1;
      pendingEvents.push(event);
      timer ??= setTimeout(() => void flush(), FLUSH_INTERVAL_MS).unref();
    },
    /** Writes the rest; what is added afterwards is written too, as far as the database still answers. */
    close: flush,
  };
}
