import { setTimeout as wait } from 'node:timers/promises';
import type { ServiceSql } from '../database/roles.ts';
import { type EventRow, markLocalOnly, claimPendingEvents, markForwarded, quarantineEvent } from './queries.ts';
import { type AnalyticsService, sendBatch } from './send-batch.ts';

const BATCH_SIZE = 200;
/** Maximum number of attempts per call while a rejected batch is bisected. One failure would restart the search. */
const MAX_ATTEMPTS = 4;

/**
 * Sends pending events to the analytics service, oldest first, until none is left. Events of the demo account and of
 * members who opted out are never sent. A batch counts as sent only after the service accepted it. The service
 * deduplicates by the `uuid` of an event. A rejected batch is bisected to find the rejected event. This event is
 * quarantined, and the others are sent. Throws if the service is unavailable. Results up to that point are stored.
 */
export async function forwardEvents(
  sql: ServiceSql,
  service: AnalyticsService,
  signal: AbortSignal,
  demoAccountId?: string,
): Promise<void> {
  await markLocalOnly(sql, demoAccountId);
  for (let hasMore = true; hasMore && !signal.aborted;) {
    const outcome = await sql.transaction(async (tx) => {
      const events = await claimPendingEvents(tx, BATCH_SIZE);
      const settled: SettledEvents = { accepted: [], rejected: [] };
      let failure: unknown;
      try {
        if (events.length > 0) await bisectRejectedBatch(service, events, signal, settled);
      } catch (error) {
        failure = error;
      }
      await markForwarded(tx, settled.accepted);
      for (const { event, status } of settled.rejected)
        await quarantineEvent(tx, event, `The analytics service returned ${status}.`);
      return { failure, more: events.length === BATCH_SIZE };
    });
    if (outcome.failure !== undefined) throw outcome.failure;
    hasMore = outcome.more;
  }
}

/** Events that need no further call: accepted, or rejected with a status. */
interface SettledEvents {
  accepted: EventRow[];
  rejected: { event: EventRow; status: number }[];
}

async function bisectRejectedBatch(
  service: AnalyticsService,
  events: readonly EventRow[],
  signal: AbortSignal,
  settled: SettledEvents,
  isBisecting = false,
): Promise<void> {
  const rejectionStatus = isBisecting
    ? await sendWithRetries(service, events, signal)
    : await sendBatch(service, events, signal);
  if (rejectionStatus === undefined) {
    settled.accepted.push(...events);
    return;
  }
  if (events.length === 1) {
    settled.rejected.push({ event: events[0]!, status: rejectionStatus });
    return;
  }
  const half = events.length >> 1;
  await bisectRejectedBatch(service, events.slice(0, half), signal, settled, true);
  await bisectRejectedBatch(service, events.slice(half), signal, settled, true);
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
