import { randomUUID } from 'node:crypto';
import { isMember } from '../../platform/identity/queries.ts';
import { insertAttempt } from './attempt-queries.ts';
import type { ConnectionContext } from './context.ts';
import type { ConnectionKind } from './contract.ts';
import { findStoredConnectionOfMember, listExistingConnections } from './queries.ts';
import { decryptCredential, encryptFor } from './encrypt-column.ts';

/** Maximum number of a member's connections of one kind. */
export const CONNECTION_LIMIT = 30;

type StartedAttempt =
  | { ok: true; attemptId: string; url: string }
  | { ok: false; reason: 'not_configured' | 'not_found' | 'limit_reached' }
  | { ok: false; reason: 'unavailable'; retryAfter?: number | undefined };

interface AttemptRequest {
  idpId: string;
  kind: ConnectionKind;
  /** Connection to reauthenticate. */
  repairConnectionId: string | undefined;
  /** Origin of the browser, to which it returns. */
  origin: string;
  /** URL at which the aggregator reaches the service. */
  baseUrl: string;
}

/** Requests a page from the aggregator and stores the aggregator's reference of the attempt. */
export async function startAttempt(context: ConnectionContext, request: AttemptRequest): Promise<StartedAttempt> {
  const { idpId, kind, repairConnectionId, origin, baseUrl } = request;
  const aggregator = context.aggregators.find((candidate) => candidate.kind === kind);
  if (!aggregator) return { ok: false, reason: 'not_configured' };
  const { provider } = aggregator;
  const stored =
    repairConnectionId === undefined
      ? undefined
      : await findStoredConnectionOfMember(context.sql, idpId, repairConnectionId);
  if (repairConnectionId !== undefined && stored?.provider !== provider) return { ok: false, reason: 'not_found' };
  const repairCredential = stored && decryptCredential(context.ring, stored);
  if (!stored && (await listExistingConnections(context.sql, idpId, provider)).length >= CONNECTION_LIMIT)
    return { ok: false, reason: 'limit_reached' };

  const attemptId = randomUUID();
  const started = await aggregator.start({
    idpId,
    returnUrl: `${origin}/connections/return/${attemptId}`,
    webhookUrl: `${baseUrl}/api/webhooks/${aggregator.webhook.path}`,
    repairCredential,
  });
  if (!started.ok) {
    context.logger.warn({ provider, code: started.code }, 'failed to start a connection attempt');
    const retryAfter = started.reason === 'unavailable' ? started.retryAfter : undefined;
    return { ok: false, reason: 'unavailable', retryAfter };
  }
  const { reference, expiresAt, url } = started;
  const cell = { column: 'connection_attempts.sealed_reference', idpId, row: attemptId } as const;
  try {
    await insertAttempt(context.sql, {
      idpId,
      id: attemptId,
      kind,
      provider,
      // Without its credential a connection is made anew, which replaces it.
      reauthenticates_id: stored && repairCredential !== undefined ? stored.id : null,
      reference,
      expiresAt,
      encryptedReference: encryptFor(context.ring, cell, reference),
    });
  } catch (error) {
    // A deletion during the start did not see the page.
    if (!(await isMember(context.sql, idpId))) await aggregator.deletePages?.(idpId);
    throw error;
  }
  return { ok: true, attemptId, url };
}
