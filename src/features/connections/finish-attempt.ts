import type { Aggregator, LinkedItem, RedirectParams } from './aggregator.ts';
import {
  type AttemptRow,
  claimAttempt,
  type ClaimedAttempt,
  closeAttempt,
  findAttempt,
  releaseAttempt,
} from './attempt-queries.ts';
import { buildConnection, exchangeToken, revokeUnused } from './build-connection.ts';
import { findAggregator, type ConnectionContext, type FinishedAttempt, PENDING } from './context.ts';
import { finishRepair } from './finish-repair.ts';
import { planLink } from './plan-link.ts';
import { findStoredConnectionOfMember, type ExistingConnection, listExistingConnections } from './queries.ts';
import { decryptCredential, decryptReference } from './encrypt-column.ts';

/**
 * Advances an attempt to its next state, for the page, a webhook or the poll. One caller at a time holds its lease.
 * Idempotent. Returns `undefined` if the member has no such attempt, or if the returned connection is not the member's.
 *
 * | state of the attempt      | result from the aggregator     | next                                          |
 * | ------------------------- | ------------------------------ | --------------------------------------------- |
 * | closed                    |                                | the stored result                             |
 * | open, leased elsewhere    |                                | `pending`                                     |
 * | open, no aggregator       |                                | `pending`, after the deadline `abandoned`     |
 * | open, repairs a connection|                                | `finishRepair`                                |
 * | open, token exchanged     |                                | `buildConnection`: `connected`, `failed`, …   |
 * | open                      | `open`, `repaired`, `unknown`  | `pending`, after the deadline `abandoned`     |
 * | open                      | `abandoned`, `failed`          | `abandoned`, `failed`                         |
 * | open                      | `not-owned`                    | rejected: the attempt stays open              |
 * | open                      | `linked`, nothing new          | `duplicate`, its new access is revoked        |
 * | open                      | `linked`                       | token exchanged                               |
 */
export async function finishAttempt(
  context: ConnectionContext,
  { idpId, id, redirectParams }: { idpId: string; id: string; redirectParams?: RedirectParams | undefined },
): Promise<FinishedAttempt | undefined> {
  const attempt = await findAttempt(context.sql, idpId, id);
  if (!attempt) return undefined;
  if (attempt.state !== 'open') return toFinishedAttempt(attempt);
  const claimed = await claimAttempt(context.sql, idpId, id);
  if (!claimed) return toFinishedAttempt((await findAttempt(context.sql, idpId, id)) ?? attempt);
  try {
    const result = await processAttempt(context, claimed, redirectParams);
    if (!result || result.status === 'pending') await releaseAttempt(context.sql, claimed);
    return result;
  } catch (error) {
    await releaseAttempt(context.sql, claimed).catch(() => {}); // The lease expires without a release.
    throw error;
  }
}

const toFinishedAttempt = ({ state, connection_id: connectionId, code }: AttemptRow): FinishedAttempt =>
  state === 'open' ? PENDING : { status: state, ...(connectionId && { connectionId }), ...(code && { code }) };

async function processAttempt(
  context: ConnectionContext,
  attempt: ClaimedAttempt,
  redirectParams: RedirectParams | undefined,
): Promise<FinishedAttempt | undefined> {
  const aggregator = findAggregator(context, attempt.provider);
  const { reauthenticates_id: connectionId } = attempt;
  if (!aggregator) return attempt.is_over ? close(context, attempt, EXPIRED) : PENDING;
  if (connectionId !== null)
    return finishRepair(context, aggregator, { ...attempt, reauthenticates_id: connectionId }, redirectParams);
  if (attempt.sealed_credential) return buildConnection(context, aggregator, attempt);
  const existing = await listExistingConnections(context.sql, attempt.idp_id, attempt.provider);
  const reading = await aggregator.readAttempt({
    idpId: attempt.idp_id,
    reference: decryptReference(context.ring, attempt),
    redirectParams,
    existingIds: existing.map(({ external_id: externalId }) => externalId),
  });
  if (reading.state === 'unknown')
    context.logger.warn({ attempt: attempt.id, code: reading.code }, 'failed to read a connection attempt');
  switch (reading.state) {
    case 'unknown':
    case 'open':
    case 'repaired':
      return attempt.is_over ? close(context, attempt, EXPIRED) : PENDING;
    case 'abandoned':
    case 'failed':
      return close(context, attempt, { status: reading.state, code: reading.code });
    case 'not-owned':
      return undefined;
    case 'linked':
      return finishLinked(context, aggregator, attempt, reading.linkedItem, existing);
  }
}

type ClosedAttempt = FinishedAttempt & { status: 'abandoned' | 'failed' | 'duplicate' };

const EXPIRED: ClosedAttempt = { status: 'abandoned', code: 'EXPIRED' };

/** Exchanges the token of a linked item, unless it repeats one of the member's connections. */
async function finishLinked(
  context: ConnectionContext,
  aggregator: Aggregator,
  attempt: ClaimedAttempt,
  linkedItem: LinkedItem,
  existing: readonly ExistingConnection[],
): Promise<FinishedAttempt> {
  const { idp_id: idpId } = attempt;
  const plan = await planLink(existing, linkedItem, {
    isConnectionRevoked: (connection) => isConnectionRevoked(context, aggregator, idpId, connection),
    isKeyLost: (connection) => isKeyLost(context, idpId, connection),
  });
  if (plan.action !== 'repeat') {
    const replaces = plan.action === 'replace' ? plan.connection.id : undefined;
    return exchangeToken(context, aggregator, attempt, { linkedItem, replaces });
  }
  // Some aggregators create the connection before the token exchange. An unused new connection must then be revoked.
  const isNew =
    linkedItem.externalId !== undefined &&
    existing.every(({ external_id: externalId }) => externalId !== linkedItem.externalId);
  if (isNew) await revokeUnused(context, aggregator, idpId, linkedItem.publicToken);
  const { id: connectionId, status } = plan.connection;
  const isBroken = status === 'login_required' || status === 'revoked';
  return close(context, attempt, { status: 'duplicate', connectionId, code: isBroken ? 'REPAIR_NEEDED' : undefined });
}

/** Returns whether the key of a connection's credential is lost. */
async function isKeyLost(
  { sql, ring }: ConnectionContext,
  idpId: string,
  { id }: ExistingConnection,
): Promise<boolean> {
  const stored = await findStoredConnectionOfMember(sql, idpId, id);
  return stored !== undefined && decryptCredential(ring, stored) === undefined;
}

/** Returns whether the institution revoked a connection's access. A failed request returns false. */
async function isConnectionRevoked(
  context: ConnectionContext,
  aggregator: Aggregator,
  idpId: string,
  { id }: ExistingConnection,
): Promise<boolean> {
  const stored = await findStoredConnectionOfMember(context.sql, idpId, id);
  if (!stored) return false;
  const credential = decryptCredential(context.ring, stored);
  if (credential === undefined) return true;
  const result = await aggregator.readPortfolio(credential);
  return !result.ok && result.reason !== 'unavailable';
}

/** Closes the attempt. Returns `pending` if another caller closed it first or holds its lease. */
async function close(
  context: ConnectionContext,
  attempt: ClaimedAttempt,
  result: ClosedAttempt,
): Promise<FinishedAttempt> {
  const { status: state, code = null, connectionId = null } = result;
  return (await closeAttempt(context.sql, attempt, { state, code, connectionId })) ? result : PENDING;
}
