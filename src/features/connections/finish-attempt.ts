import type { Aggregator, AttemptResult, LinkedItem, RedirectParams } from './aggregator.ts';
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
import { type LinkPlan, planLink } from './plan-link.ts';
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
  ctx: ConnectionContext,
  { idpId, id, redirectParams }: { idpId: string; id: string; redirectParams?: RedirectParams | undefined },
): Promise<FinishedAttempt | undefined> {
  const attempt = await findAttempt(ctx.sql, idpId, id);
  if (!attempt) return undefined;
  if (attempt.state !== 'open') return toFinishedAttempt(attempt);
  const claimed = await claimAttempt(ctx.sql, idpId, id);
  if (!claimed) return toFinishedAttempt((await findAttempt(ctx.sql, idpId, id)) ?? attempt);
  try {
    const result = await processAttempt(ctx, claimed, redirectParams);
    if (!result || result.status === 'pending') await releaseAttempt(ctx.sql, claimed);
    return result;
  } catch (error) {
    await releaseAttempt(ctx.sql, claimed).catch(() => {}); // The lease expires without a release.
    throw error;
  }
}

const toFinishedAttempt = ({ state, connection_id: connectionId, code }: AttemptRow): FinishedAttempt =>
  state === 'open' ? PENDING : { status: state, ...(connectionId && { connectionId }), ...(code && { code }) };

async function processAttempt(
  ctx: ConnectionContext,
  attempt: ClaimedAttempt,
  redirectParams: RedirectParams | undefined,
): Promise<FinishedAttempt | undefined> {
  const aggregator = findAggregator(ctx, attempt.provider);
  const { reauthenticates_id: connectionId } = attempt;
  if (!aggregator) return attempt.is_over ? close(ctx, attempt, EXPIRED) : PENDING;
  if (connectionId !== null)
    return finishRepair(ctx, aggregator, { ...attempt, reauthenticates_id: connectionId }, redirectParams);
  if (attempt.sealed_credential) return buildConnection(ctx, aggregator, attempt);
  return performStep(
    ctx,
    aggregator,
    attempt,
    nextStep(attempt, await readAttempt(ctx, aggregator, attempt, redirectParams)),
  );
}

/** Result from the aggregator. A linked item has a plan that compares it with the member's connections. */
type AttemptReading =
  | Exclude<AttemptResult, { state: 'linked' }>
  | { state: 'linked'; linkedItem: LinkedItem; existing: readonly ExistingConnection[]; plan: LinkPlan };

type ClosedAttempt = FinishedAttempt & { status: 'abandoned' | 'failed' | 'duplicate' };

type Step =
  | { action: 'wait' }
  | { action: 'reject' }
  | { action: 'close'; result: ClosedAttempt; unusedToken?: string | undefined }
  | { action: 'exchange'; linkedItem: LinkedItem; replaces: string | undefined };

const EXPIRED: ClosedAttempt = { status: 'abandoned', code: 'EXPIRED' };

/** Returns the next step by the lower half of the table above, without side effects. */
function nextStep({ is_over: isOver }: Pick<AttemptRow, 'is_over'>, reading: AttemptReading): Step {
  switch (reading.state) {
    case 'unknown':
    case 'open':
    case 'repaired':
      return isOver ? { action: 'close', result: EXPIRED } : { action: 'wait' };
    case 'abandoned':
    case 'failed':
      return { action: 'close', result: { status: reading.state, code: reading.code } };
    case 'not-owned':
      return { action: 'reject' };
    case 'linked':
      return nextStepForLinkedItem(reading);
  }
}

function nextStepForLinkedItem({ linkedItem, existing, plan }: Extract<AttemptReading, { state: 'linked' }>): Step {
  if (plan.action === 'connect') return { action: 'exchange', linkedItem, replaces: undefined };
  const { connection } = plan;
  if (plan.action === 'replace') return { action: 'exchange', linkedItem, replaces: connection.id };
  const isBroken = connection.status === 'login_required' || connection.status === 'revoked';
  const code = isBroken ? 'REPAIR_NEEDED' : undefined;
  // Some aggregators create the connection before the token exchange. An unused new connection must then be revoked.
  const isNew =
    linkedItem.externalId !== undefined &&
    existing.every((existingConnection) => existingConnection.external_id !== linkedItem.externalId);
  return {
    action: 'close',
    result: { status: 'duplicate', connectionId: connection.id, code },
    unusedToken: isNew ? linkedItem.publicToken : undefined,
  };
}

async function performStep(
  ctx: ConnectionContext,
  aggregator: Aggregator,
  attempt: ClaimedAttempt,
  step: Step,
): Promise<FinishedAttempt | undefined> {
  switch (step.action) {
    case 'wait':
      return PENDING;
    case 'reject':
      return undefined;
    case 'close':
      if (step.unusedToken !== undefined) await revokeUnused(ctx, aggregator, attempt.idp_id, step.unusedToken);
      return close(ctx, attempt, step.result);
    case 'exchange': {
      const exchange = await exchangeToken(ctx, aggregator, attempt, step);
      switch (exchange.outcome) {
        case 'exchanged':
          return buildConnection(ctx, aggregator, exchange.attempt);
        case 'unavailable':
          return PENDING;
        case 'rejected':
          return close(ctx, attempt, { status: 'failed', code: exchange.code });
        case 'lease-lost':
          return PENDING;
        case 'member-deleted':
          return { status: 'failed', code: 'GONE' };
      }
    }
  }
}

async function readAttempt(
  ctx: ConnectionContext,
  aggregator: Aggregator,
  attempt: AttemptRow,
  redirectParams: RedirectParams | undefined,
): Promise<AttemptReading> {
  const { idp_id: idpId, id, provider } = attempt;
  const existing = await listExistingConnections(ctx.sql, idpId, provider);
  const reading = await aggregator.readAttempt({
    idpId,
    reference: decryptReference(ctx.ring, attempt),
    redirectParams,
    existingIds: existing.map(({ external_id: externalId }) => externalId),
  });
  if (reading.state === 'unknown')
    ctx.logger.warn({ attempt: id, code: reading.code }, 'failed to read a connection attempt');
  if (reading.state !== 'linked') return reading;
  const plan = await planLink(existing, reading.linkedItem, {
    isConnectionRevoked: (connection) => isConnectionRevoked(ctx, aggregator, idpId, connection),
    isKeyLost: (connection) => isKeyLost(ctx, idpId, connection),
  });
  return { ...reading, existing, plan };
}

/** Returns whether no key decrypts a connection's credential. */
async function isKeyLost(
  { sql, ring }: ConnectionContext,
  idpId: string,
  { id }: ExistingConnection,
): Promise<boolean> {
  const stored = await findStoredConnectionOfMember(sql, idpId, id);
  return stored !== undefined && !ring.hasKeyOf(stored.sealed);
}

/** Returns whether the institution revoked a connection's access. A failed request returns false. */
async function isConnectionRevoked(
  ctx: ConnectionContext,
  aggregator: Aggregator,
  idpId: string,
  { id }: ExistingConnection,
): Promise<boolean> {
  const stored = await findStoredConnectionOfMember(ctx.sql, idpId, id);
  if (!stored) return false;
  if (!ctx.ring.hasKeyOf(stored.sealed)) return true;
  const result = await aggregator.readPortfolio(decryptCredential(ctx.ring, stored));
  return !result.ok && result.reason !== 'unavailable';
}

/** Closes the attempt. Returns `pending` if another caller closed it first or holds its lease. */
async function close(ctx: ConnectionContext, attempt: ClaimedAttempt, result: ClosedAttempt): Promise<FinishedAttempt> {
  const { status: state, code = null, connectionId = null } = result;
  return (await closeAttempt(ctx.sql, attempt, { state, code, connectionId })) ? result : PENDING;
}
