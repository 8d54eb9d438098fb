import type { EventRow } from './queries.ts';

export interface AnalyticsService {
  /** Base URL, such as `https://eu.i.posthog.com`. */
  host: string;
  /** The project's write key. */
  apiKey: string;
  /** Timeout of one batch in ms (default 10,000). */
  timeout?: number;
}

/** Statuses of a request that is rejected for its content. All other failures are retried. */
const REJECTED_STATUSES: ReadonlySet<number> = new Set([400, 413, 422]);

/**
 * Sends events in one call of PostHog's `POST /batch/`. The format equals that of posthog-node 5.70.0 field by field,
 * except for compression. PostHog corrects a wrong clock with `sent_at`. Returns the status if the service rejects the
 * content, or `undefined` if it accepts the batch. Throws if the batch must be retried.
 */
export async function sendBatch(
  { host, apiKey, timeout = 10_000 }: AnalyticsService,
  events: readonly EventRow[],
  signal: AbortSignal,
): Promise<number | undefined> {
  const batch = events.map(({ id, idp_id, event, properties, occurred_at }) => ({
    uuid: id,
    event,
    distinct_id: idp_id,
    properties: { ...properties, $lib: 'tally', $is_server: true, $geoip_disable: true },
    timestamp: occurred_at.toISOString(),
  }));
  const response = await fetch(`${host.replace(/\/+$/, '')}/batch/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: apiKey, batch, sent_at: new Date().toISOString() }),
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
  });
  await response.body?.cancel();
  if (REJECTED_STATUSES.has(response.status)) return response.status;
  if (!response.ok) throw new Error(`The analytics service returned ${response.status}.`);
  return undefined;
}
