import type { Aggregator, AttemptResult, Offer, Returned } from './aggregator.ts';
import { type AttemptRow, claimAttempt, closeAttempt, findAttempt, releaseAttempt } from './attempt-queries.ts';
import { buildConnection, exchangeToken, revokeUnused } from './build-connection.ts';
import { aggregatorOf, type ConnectionContext, type FinishedAttempt, PENDING } from './context.ts';
import { finishRepair } from './finish-repair.ts';
import { type OfferPlan, planOffer } from './plan-offer.ts';
import { findStoredOf, type KnownConnection, listKnown } from './queries.ts';
import { openAccess, openReference } from './seal-column.ts';

/**
 * Takes an attempt as far as it goes, for the page, a webhook or the poll. One caller at a time holds its lease; safe to
 * repeat. `undefined` where the member has no such attempt, or what was returned is not theirs.
 *
 * | state of the attempt      | what the aggregator says       | next                                          |
 * | ------------------------- | ------------------------------ | --------------------------------------------- |
 * | closed                    |                                | its result                                    |
 * | open, leased to another   |                                | `pending`                                     |
 * | open, no aggregator       |                                | `pending`, after the deadline `abandoned`     |
 * | open, repairs a connection|                                | `finishRepair`                                |
 * | open, token exchanged     |                                | `buildConnection`: `connected`, `failed`, …   |
 * | open                      | `open`, `repaired`, `unknown`  | `pending`, after the deadline `abandoned`     |
 * | open                      | `abandoned`, `failed`          | the same                                      |
 * | open                      | `foreign`                      | rejected: the attempt stays open              |
 * | open                      | `offered`, nothing new in it   | `duplicate`; an access made for it is revoked |
 * | open                      | `offered`                      | token exchanged                               |
 */
export async function finishAttempt(
  ctx: ConnectionContext,
  { idpId, id, returned }: { idpId: string; id: string; returned?: Returned | undefined },
): Promise<FinishedAttempt | undefined> {
  const attempt = await findAttempt(ctx.sql, idpId, id);
  if (!attempt) return undefined;
  if (attempt.state !== 'open') return toResult(attempt);
  const claimed = await claimAttempt(ctx.sql, idpId, id);
  if (!claimed) return toResult((await findAttempt(ctx.sql, idpId, id)) ?? attempt);
  try {
    const result = await advance(ctx, claimed, returned);
    if (!result || result.status === 'pending') await releaseAttempt(ctx.sql, idpId, id);
    return result;
  } catch (error) {
    await releaseAttempt(ctx.sql, idpId, id).catch(() => {}); // the lease ends by itself
    throw error;
  }
}

const toResult = ({ state, connection_id: connectionId, code }: AttemptRow): FinishedAttempt =>
  state === 'open' ? PENDING : { status: state, ...(connectionId && { connectionId }), ...(code && { code }) };

async function advance(
  ctx: ConnectionContext,
  attempt: AttemptRow,
  returned: Returned | undefined,
): Promise<FinishedAttempt | undefined> {
  const aggregator = aggregatorOf(ctx, attempt.provider);
  const { repairs } = attempt;
  if (!aggregator) return attempt.is_over ? close(ctx, attempt, EXPIRED) : PENDING;
  if (repairs !== null) return finishRepair(ctx, aggregator, { ...attempt, repairs }, returned);
  if (attempt.sealed_credential) return buildConnection(ctx, aggregator, attempt);
  return perform(ctx, aggregator, attempt, nextStep(attempt, await readAttempt(ctx, aggregator, attempt, returned)));
}

/** What the aggregator says; an offer comes with what it means beside the member's connections. */
type Reading =
  | Exclude<AttemptResult, { state: 'offered' }>
  | { state: 'offered'; offer: Offer; known: readonly KnownConnection[]; plan: OfferPlan };

type ClosedAttempt = FinishedAttempt & { status: 'abandoned' | 'failed' | 'duplicate' };

type Step =
  | { action: 'wait' }
  | { action: 'reject' }
  | { action: 'close'; result: ClosedAttempt; unusedClaim?: string | undefined }
  | { action: 'exchange'; offer: Offer; replaces: string | undefined };

const EXPIRED: ClosedAttempt = { status: 'abandoned', code: 'EXPIRED' };

/** The lower half of the table above, without side effects. */
function nextStep({ is_over: isOver }: Pick<AttemptRow, 'is_over'>, reading: Reading): Step {
  switch (reading.state) {
    case 'unknown':
    case 'open':
    case 'repaired':
      return isOver ? { action: 'close', result: EXPIRED } : { action: 'wait' };
    case 'abandoned':
    case 'failed':
      return { action: 'close', result: { status: reading.state, code: reading.code } };
    case 'foreign':
      return { action: 'reject' };
    case 'offered':
      return nextStepForOffer(reading);
  }
}

function nextStepForOffer({ offer, known, plan }: Extract<Reading, { state: 'offered' }>): Step {
  if (plan.action === 'connect') return { action: 'exchange', offer, replaces: undefined };
  const { connection } = plan;
  if (plan.action === 'replace') return { action: 'exchange', offer, replaces: connection.id };
  const isBroken = connection.status === 'login_required' || connection.status === 'revoked';
  const code = isBroken ? 'REPAIR_NEEDED' : undefined;
  // Some aggregators make the connection before its token is exchanged: a new one must be revoked then.
  const isNew = offer.externalId !== undefined && known.every((one) => one.external_id !== offer.externalId);
  return {
    action: 'close',
    result: { status: 'duplicate', connectionId: connection.id, code },
    unusedClaim: isNew ? offer.claim : undefined,
  };
}

async function perform(
  ctx: ConnectionContext,
  aggregator: Aggregator,
  attempt: AttemptRow,
  step: Step,
): Promise<FinishedAttempt | undefined> {
  switch (step.action) {
    case 'wait':
      return PENDING;
    case 'reject':
      return undefined;
    case 'close':
      if (step.unusedClaim !== undefined) await revokeUnused(ctx, aggregator, attempt.idp_id, step.unusedClaim);
      return close(ctx, attempt, step.result);
    case 'exchange': {
      const exchange = await exchangeToken(ctx, aggregator, attempt, step);
      switch (exchange.outcome) {
        case 'exchanged':
          return buildConnection(ctx, aggregator, exchange.attempt);
        case 'unavailable':
          return PENDING;
        case 'refused':
          return close(ctx, attempt, { status: 'failed', code: exchange.code });
        case 'member_deleted':
          return { status: 'failed', code: 'GONE' };
      }
    }
  }
}

async function readAttempt(
  ctx: ConnectionContext,
  aggregator: Aggregator,
  attempt: AttemptRow,
  returned: Returned | undefined,
): Promise<Reading> {
  const { idp_id: idpId, id, provider } = attempt;
  const known = await listKnown(ctx.sql, idpId, provider);
  const reading = await aggregator.readAttempt({
    idpId,
    reference: openReference(ctx.ring, attempt),
    returned,
    known: known.map(({ external_id: externalId }) => externalId),
  });
  if (reading.state === 'unknown')
    ctx.logger.warn({ attempt: id, code: reading.code }, 'an attempt to connect could not be read');
  if (reading.state !== 'offered') return reading;
  const plan = await planOffer(known, reading.offer, (connection) => hasEnded(ctx, aggregator, idpId, connection));
  return { ...reading, known, plan };
}

/** Whether the institution has ended a connection's access; a failure to ask says no. */
async function hasEnded(
  ctx: ConnectionContext,
  aggregator: Aggregator,
  idpId: string,
  { id }: KnownConnection,
): Promise<boolean> {
  const stored = await findStoredOf(ctx.sql, idpId, id);
  if (!stored) return false;
  const read = await aggregator.readPortfolio(openAccess(ctx.ring, stored));
  return !read.ok && read.reason !== 'unavailable';
}

/** `pending` where another caller has closed the attempt meanwhile, whose result stands. */
async function close(
  ctx: ConnectionContext,
  { idp_id: idpId, id }: AttemptRow,
  result: ClosedAttempt,
): Promise<FinishedAttempt> {
  const { status: state, code = null, connectionId = null } = result;
  return (await closeAttempt(ctx.sql, { idpId, id }, { state, code, connectionId })) ? result : PENDING;
}
