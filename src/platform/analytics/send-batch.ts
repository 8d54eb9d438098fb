import type { EventRow } from './queries.ts';

export interface AnalyticsService {
  /** Such as `https://eu.i.posthog.com`. */
  host: string;
  /** The project's write key. */
  apiKey: string;
  /** Milliseconds that one batch may take (default 10,000). */
  timeout?: number;
}

/** Statuses of a request that is refused for what stands in it; everything else is tried again later. */
const REJECTED_STATUSES: ReadonlySet<number> = new Set([400, 413, 422]);

/**
 * Sends events in one call of PostHog's `POST /batch/`, in the form of its own library: compared field by field with
 * posthog-node 5.70.0, which also compresses. By `sent_at` PostHog corrects a clock that is wrong. Answers with the
 * status where the service refuses their content, `undefined` where it took them. Throws where they are to be sent
 * again.
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
  if (!response.ok) throw new Error(`The analytics service answered ${response.status}.`);
  return undefined;
}
