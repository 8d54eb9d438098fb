import { setTimeout as wait } from 'node:timers/promises';
import type { ServiceSql } from '../database/roles.ts';
import {
  claimPendingEvents,
  type EventRow,
  markForwarded,
  markLocalOnly,
  quarantineEvent,
  releaseEvents,
} from './queries.ts';
import { type AnalyticsService, sendBatch } from './send-batch.ts';

const BATCH_SIZE = 200;

/** Maximum number of attempts of a call. One failure would restart the search for a rejected event. */
const MAX_ATTEMPTS = 4;

/** Time in ms for the calls of a batch. The search for one rejected event of 200 takes about 16 calls. */
const BATCH_TIMEOUT_MS = 240_000;

/** Seconds for which a batch is claimed, longer than its calls. A killed process leaves its events claimed as long. */
const LEASE_SECONDS = 300;

/**
 * Number of single events rejected in a row after which the service itself is considered faulty, such as a wrong URL.
 * Invalid events are rare, and a member who repeats one action hardly creates as many without another event between.
 */
const MAX_REJECTED_IN_A_ROW = 10;

/**
 * Sends pending events to the analytics service until none is left, the first of each member before later ones. Events
 * of the demo account and of members who opted out are never sent. A batch counts as sent only after the service accepted
 * it. The service deduplicates by the `uuid` of an event. Several processes share the events. Throws if the service is
 * unavailable or rejects everything. Results up to that point are stored, and the other events stay pending.
 */
export async function forwardEvents(
  sql: ServiceSql,
  service: AnalyticsService,
  signal: AbortSignal,
  demoAccountId?: string,
): Promise<void> {
  await markLocalOnly(sql, demoAccountId);
  for (let hasMore = true; hasMore && !signal.aborted;) {
    const events = await claimPendingEvents(sql, {
      maxEvents: BATCH_SIZE,
      leaseSeconds: LEASE_SECONDS,
      demoAccountId,
    });
    hasMore = events.length === BATCH_SIZE;
    try {
      if (events.length > 0) await forwardClaimedEvents(sql, service, events, signal);
    } catch (error) {
      // If this fails, their claim ends by itself.
      await releaseEvents(sql, events).catch(() => {});
      throw error;
    }
  }
}

/**
 * Sends events and stores the result of each call. A rejected part is halved until the rejected event is alone. This
 * event is quarantined if the service accepts others.
 */
async function forwardClaimedEvents(
  sql: ServiceSql,
  service: AnalyticsService,
  events: readonly EventRow[],
  signal: AbortSignal,
): Promise<void> {
  const batchSignal = AbortSignal.any([signal, AbortSignal.timeout(BATCH_TIMEOUT_MS)]);
  const maxRejected = Math.min(events.length, MAX_REJECTED_IN_A_ROW);
  const unsentParts = [events];
  let rejectedInARow: RejectedEvent[] = [];
  for (let part = unsentParts.pop(); part; part = unsentParts.pop()) {
    const status = await sendWithRetries(service, part, batchSignal);
    if (status === undefined) {
      await markForwarded(sql, part);
      await quarantineEvents(sql, rejectedInARow);
      rejectedInARow = [];
    } else if (part.length > 1) {
      const half = Math.floor(part.length / 2);
      unsentParts.push(part.slice(half), part.slice(0, half));
    } else {
      rejectedInARow.push({ event: part[0]!, status });
      if (rejectedInARow.length === maxRejected)
        throw new Error(`The analytics service rejected events in a row: ${maxRejected}, the last with ${status}.`);
    }
  }
  await quarantineEvents(sql, rejectedInARow);
}

interface RejectedEvent {
  event: EventRow;
  status: number;
}

async function quarantineEvents(sql: ServiceSql, rejectedEvents: readonly RejectedEvent[]): Promise<void> {
  for (const { event, status } of rejectedEvents)
    await quarantineEvent(sql, event, `The analytics service returned ${status}.`);
}

async function sendWithRetries(
  service: AnalyticsService,
  events: readonly EventRow[],
  signal: AbortSignal,
): Promise<number | undefined> {
  for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt += 1) {
    try {
      return await sendBatch(service, events, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      await wait(25 * 2 ** attempt, undefined, { signal });
    }
  }
  return sendBatch(service, events, signal);
}
