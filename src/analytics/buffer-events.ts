import type { ServiceSql } from '../database/roles.ts';
import type { EventProperties } from './contract.ts';
import { insertEvents } from './queries.ts';

interface CapturedEvent {
  idpId: string;
  event: string;
  properties: EventProperties;
}

interface EventBuffer {
  add(event: CapturedEvent): void;
  /** Writes the rest; what is added afterwards is written too, as far as the database still answers. */
  close(): Promise<void>;
}

/**
 * Events in memory at a time, those being written among them; past them new ones are dropped, since a database that is
 * away must not fill it.
 */
const MOST = 5_000;
/** Milliseconds in which events gather for one statement. */
const GATHER = 200;

/**
 * Collects events and writes them in batches beside the requests that caused them. `failed` hears of events that were
 * lost.
 */
export function createEventBuffer(sql: ServiceSql, failed: (error: unknown, lost: number) => void): EventBuffer {
  let waiting: (CapturedEvent & { occurredAt: Date })[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let held = 0;

  const write = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return writing;
    return (writing = writing
      .then(() => insertEvents(sql, batch))
      // A member who was deleted in this very moment; the statement leaves them out when it is sent again.
      .catch((error: { code?: string }) => (error.code === '23503' ? insertEvents(sql, batch) : Promise.reject(error)))
      .catch((error: unknown) => failed(error, batch.length))
      .finally(() => void (held -= batch.length)));
  };

  return {
    add(event) {
      if (held >= MOST) return failed(new Error('Too many events are waiting to be written.'), 1);
      held += 1;
      waiting.push({ ...event, occurredAt: new Date() });
      timer ??= setTimeout(() => void write(), GATHER).unref();
    },
    close: () => write(),
  };
}
