import type { ConnectionContext } from './context.ts';
import { claimRefresh } from './queries.ts';
import { readConnection, type SyncResult } from './sync-connection.ts';

/** Minimum time in seconds between two refreshes of one connection by its member. */
export const REFRESH_INTERVAL_SECONDS = 60;

type Refresh =
  | { ok: true; reading: Promise<SyncResult> }
  | { ok: false; reason: 'not_found' }
  | { ok: false; reason: 'too_soon'; retryAfter: number };

/** Starts to read a member's connection from the aggregator, at most once a minute. `retryAfter` is in seconds. */
export async function refreshConnection(context: ConnectionContext, idpId: string, id: string): Promise<Refresh> {
  const claim = await claimRefresh(context.sql, idpId, id, REFRESH_INTERVAL_SECONDS);
  if (claim.outcome === 'too_soon') return { ok: false, reason: 'too_soon', retryAfter: claim.retryAfter };
  if (claim.outcome === 'not_found') return { ok: false, reason: 'not_found' };
  return { ok: true, reading: readConnection(context, { connection_id: id }) };
}
