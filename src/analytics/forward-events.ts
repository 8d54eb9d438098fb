import type { ServiceSql } from '../database/roles.ts';
import { type EventRow, lockWaitingEvents, markForwarded } from './queries.ts';

export interface AnalyticsService {
  /** Such as `https://eu.i.posthog.com`. */
  host: string;
  /** The project's write key. */
  apiKey: string;
  /** Milliseconds that one batch may take (default 10,000). */
  timeout?: number;
}

const BATCH = 200;

/**
 * Sends what waits to the analytics service (PostHog's `POST /batch/`), oldest first, until nothing is left. A batch
 * counts as sent only when the service took it; one sent twice is told apart there by its events' `uuid`. Throws where
 * the service refuses.
 */
export async function forwardEvents(sql: ServiceSql, service: AnalyticsService, signal: AbortSignal): Promise<void> {
  for (let more = true; more && !signal.aborted;) {
    more = await sql.transaction(async (tx) => {
      const events = await lockWaitingEvents(tx, BATCH);
      if (events.length === 0) return false;
      await sendBatch(service, events, signal);
      await markForwarded(tx, events);
      return events.length === BATCH;
    });
  }
}

async function sendBatch(
  { host, apiKey, timeout = 10_000 }: AnalyticsService,
  events: readonly EventRow[],
  signal: AbortSignal,
): Promise<void> {
  const batch = events.map(({ id, idp_id, event, properties, occurred_at }) => ({
    uuid: id,
    event,
    distinct_id: idp_id,
    properties,
    timestamp: occurred_at.toISOString(),
  }));
  const response = await fetch(`${host.replace(/\/+$/, '')}/batch/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: apiKey, batch }),
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`The analytics service answered ${response.status}.`);
}
