import type { ServiceSql } from '../database/roles.ts';
import { type CapturedEvent, insertEvents } from './queries.ts';

/**
 * Maximum number of events in memory, including those being written. Further events are dropped, so an unavailable
 * database cannot fill the memory.
 */
const MAX_BUFFERED_EVENTS = 5_000;
/** Time in ms in which events are collected for one statement. */
const FLUSH_INTERVAL_MS = 200;

/** Writes events in a transaction of their own. */
export const writeEvents = (sql: ServiceSql, events: readonly CapturedEvent[]): Promise<void> =>
  sql.transaction((tx) => insertEvents(tx, events));

/**
 * Collects events and writes them in batches outside the requests. Calls `onFailure` with the number of lost events.
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
    writing = writing
      .then(() => writeEvents(sql, batch))
      .catch((error: unknown) => onFailure(error, batch.length))
      .finally(() => {
        bufferedCount -= batch.length;
      });
    return writing;
  };

  return {
    add(event: CapturedEvent): void {
      if (bufferedCount >= MAX_BUFFERED_EVENTS) return onFailure(new Error('The event buffer is full.'), 1);
      bufferedCount += 1;
      pendingEvents.push(event);
      timer ??= setTimeout(() => {
        void flush();
      }, FLUSH_INTERVAL_MS).unref();
    },
    /** Writes the remaining events. Events that are added later are written too, if the database responds. */
    close: flush,
  };
}
