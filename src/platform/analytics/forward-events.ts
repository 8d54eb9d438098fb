import { setTimeout as wait } from 'node:timers/promises';
import type { ServiceSql } from '../database/roles.ts';
import { type EventRow, keepLocal, lockWaitingEvents, markForwarded, quarantineEvent } from './queries.ts';
import { type AnalyticsService, sendBatch } from './send-batch.ts';

const BATCH = 200;
/** Tries of each call while a refused batch is searched: one failure would begin the search anew. */
const TRIES = 4;

/**
 * Sends what waits to the analytics service, oldest first, until nothing is left; nothing of the demo account, nor of
 * members who said no. A batch counts as sent only when the service took it; one sent twice is told apart there by its
 * events' `uuid`. A batch that is refused is halved until the single event is found that is the reason: it is
 * quarantined, and the others go on. Throws where the service is away; what was settled until then is kept.
 */
export async function forwardEvents(
  sql: ServiceSql,
  service: AnalyticsService,
  signal: AbortSignal,
  demoAccountId?: string,
): Promise<void> {
  await keepLocal(sql, demoAccountId);
  for (let more = true; more && !signal.aborted;) {
    const outcome = await sql.transaction(async (tx) => {
      const events = await lockWaitingEvents(tx, BATCH);
      const settled: Settled = { taken: [], refused: [] };
      let failure: unknown;
      if (events.length > 0)
        await sendHalving(service, events, signal, settled).catch((error: unknown) => (failure = error));
      await markForwarded(tx, settled.taken);
      for (const { event, status } of settled.refused)
        await quarantineEvent(tx, event, `The analytics service answered ${status}.`);
      return { failure, more: events.length === BATCH };
    });
    if (outcome.failure !== undefined) throw outcome.failure;
    more = outcome.more;
  }
}

/** Events that need no further call: taken, or refused with a status. */
interface Settled {
  taken: EventRow[];
  refused: { event: EventRow; status: number }[];
}

async function sendHalving(
  service: AnalyticsService,
  events: readonly EventRow[],
  signal: AbortSignal,
  settled: Settled,
  searching = false,
): Promise<void> {
  const refused = searching ? await sendWithRetries(service, events, signal) : await sendBatch(service, events, signal);
  if (refused === undefined) return void settled.taken.push(...events);
  if (events.length === 1) return void settled.refused.push({ event: events[0]!, status: refused });
  const half = events.length >> 1;
  await sendHalving(service, events.slice(0, half), signal, settled, true);
  await sendHalving(service, events.slice(half), signal, settled, true);
}

async function sendWithRetries(
  service: AnalyticsService,
  events: readonly EventRow[],
  signal: AbortSignal,
): Promise<number | undefined> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await sendBatch(service, events, signal);
    } catch (error) {
      if (tried === TRIES || signal.aborted) throw error;
      await wait(25 * 2 ** tried, undefined, { signal });
    }
  }
}
