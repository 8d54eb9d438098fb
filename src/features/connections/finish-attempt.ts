import type { Aggregator, Offer, Returned } from './aggregator.ts';
import {
  type AttemptRow,
  claimAttempt,
  closeAttempt,
  findAttempt,
  releaseAttempt,
  storeCredential,
} from './attempt-queries.ts';
import { commitConnection, type Redeemed } from './commit-connection.ts';
import { aggregatorOf, type ConnectionContext, type FinishedAttempt, PENDING } from './context.ts';
import { finishRepair } from './finish-repair.ts';
import { planOffer } from './plan-offer.ts';
import { findStoredOf, type KnownConnection, listKnown } from './queries.ts';
import { queueRemoval } from './queue-removal.ts';
import { openAccess, openFrom, openReference, sealFor } from './seal-column.ts';

/**
 * Takes an attempt as far as it goes, for the page, a webhook or the poll. One claimer at a time; safe to repeat.
 * `undefined` where the member has no such attempt, or what was returned is not theirs.
 */
export async function finishAttempt(
  ctx: ConnectionContext,
  { idpId, id, returned }: { idpId: string; id: string; returned?: Returned | undefined },
): Promise<FinishedAttempt | undefined> {
  const attempt = await findAttempt(ctx.sql, idpId, id);
  if (!attempt) return undefined;
  if (attempt.state !== 'open') return closedAs(attempt);
  const claimed = await claimAttempt(ctx.sql, idpId, id);
  if (!claimed) return closedAs((await findAttempt(ctx.sql, idpId, id)) ?? attempt);
  try {
    const result = await advance(ctx, claimed, returned);
    if (!result || result.status === 'pending') await releaseAttempt(ctx.sql, idpId, id);
    return result;
  } catch (error) {
    await releaseAttempt(ctx.sql, idpId, id).catch(() => {}); // the lease ends by itself
    throw error;
  }
}

const closedAs = ({ state, connection_id: connectionId, code }: AttemptRow): FinishedAttempt =>
  state === 'open' ? PENDING : { status: state, ...(connectionId && { connectionId }), ...(code && { code }) };

async function advance(
  ctx: ConnectionContext,
  attempt: AttemptRow,
  returned: Returned | undefined,
): Promise<FinishedAttempt | undefined> {
  const aggregator = aggregatorOf(ctx, attempt.provider);
  const { idp_id: idpId, id, repairs, is_over: isOver } = attempt;
  const pendingOrExpired = async (): Promise<FinishedAttempt> =>
    isOver ? close(ctx, attempt, { status: 'abandoned', code: 'EXPIRED' }) : PENDING;
  if (!aggregator) return pendingOrExpired();
  if (repairs !== null) return finishRepair(ctx, aggregator, { ...attempt, repairs }, returned);
  if (attempt.sealed_credential) return build(ctx, aggregator, attempt);

  const known = await listKnown(ctx.sql, idpId, attempt.provider);
  const read = await aggregator.readAttempt({
    idpId,
    reference: openReference(ctx.ring, attempt),
    returned,
    known: known.map(({ external_id: externalId }) => externalId),
  });
  switch (read.state) {
    case 'unknown':
      ctx.logger.warn({ attempt: id, code: read.code }, 'an attempt to connect could not be read');
      return pendingOrExpired();
    case 'open':
    case 'repaired':
      return pendingOrExpired();
    case 'abandoned':
    case 'failed':
      return close(ctx, attempt, { status: read.state, code: read.code });
    case 'foreign':
      return undefined;
    case 'offered': {
      const { externalId, claim } = read.offer;
      const plan = await planOffer(known, read.offer, (connection) => hasEnded(ctx, aggregator, idpId, connection));
      if (plan.action !== 'repeat') {
        const replaces = plan.action === 'replace' ? plan.connection.id : undefined;
        return redeem(ctx, aggregator, attempt, read.offer, replaces);
      }
      const { connection } = plan;
      if (externalId !== undefined && known.every((one) => one.external_id !== externalId))
        await endUnused(ctx, aggregator, idpId, claim);
      const isBroken = connection.status === 'login_required' || connection.status === 'revoked';
      const code = isBroken ? 'REPAIR_NEEDED' : undefined;
      return close(ctx, attempt, { status: 'duplicate', connectionId: connection.id, code });
    }
  }
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

/** Has a connection ended that stands at the aggregator and repeats another one. */
async function endUnused(ctx: ConnectionContext, aggregator: Aggregator, idpId: string, claim: string): Promise<void> {
  const redeemed = await aggregator.redeem(claim, idpId);
  if (!redeemed.ok) return;
  await ctx.sql.transaction((sql) => queueRemoval(ctx, sql, aggregator.provider, redeemed.credential));
}

/** Spends the claim and keeps what it brought before anything else, so that a crash loses no token. */
async function redeem(
  ctx: ConnectionContext,
  aggregator: Aggregator,
  attempt: AttemptRow,
  offer: Offer,
  replaces: string | undefined,
): Promise<FinishedAttempt> {
  const { idp_id: idpId, id } = attempt;
  const redeemed = await aggregator.redeem(offer.claim, idpId);
  if (!redeemed.ok) {
    ctx.logger.warn({ attempt: id, code: redeemed.code }, 'an attempt to connect could not be redeemed');
    return redeemed.reason === 'unavailable' ? PENDING : close(ctx, attempt, { status: 'failed', code: redeemed.code });
  }
  const kept: Redeemed = { credential: redeemed.credential, institution: offer.institution, replaces };
  const text = JSON.stringify(kept);
  const sealed = sealFor(ctx.ring, { column: 'connection_attempts.sealed_credential', idpId, row: id }, text);
  const { externalId } = redeemed;
  if (await storeCredential(ctx.sql, { idpId, id }, { externalId, sealed }))
    return build(ctx, aggregator, { ...attempt, external_id: externalId, sealed_credential: sealed });
  await queueRemoval(ctx, ctx.sql, aggregator.provider, redeemed.credential);
  return { status: 'failed', code: 'GONE' };
}

/** Makes a connection of what was redeemed, once its accounts can be read. */
async function build(ctx: ConnectionContext, aggregator: Aggregator, attempt: AttemptRow): Promise<FinishedAttempt> {
  const { idp_id: idpId, id } = attempt;
  const cell = { column: 'connection_attempts.sealed_credential', idpId, row: id } as const;
  const kept = JSON.parse(openFrom(ctx.ring, cell, attempt.sealed_credential!)) as Redeemed;
  const discard = async (code: string): Promise<FinishedAttempt> => {
    const closed = await ctx.sql.transaction(async (sql) => {
      if (!(await closeAttempt(sql, { idpId, id }, { state: 'failed', code }))) return false;
      await queueRemoval(ctx, sql, aggregator.provider, kept.credential);
      return true;
    });
    return closed ? { status: 'failed', code } : PENDING;
  };
  const read = await aggregator.readPortfolio(kept.credential);
  if (!read.ok) {
    ctx.logger.warn({ attempt: id, code: read.code }, 'the accounts of a new connection could not be read');
    return read.reason === 'unavailable' && !attempt.is_over ? PENDING : discard(read.code);
  }
  if (read.portfolio.accounts.length === 0) return discard('NO_ACCOUNTS');
  return commitConnection(ctx, aggregator, attempt, kept, read.portfolio);
}

async function close(
  ctx: ConnectionContext,
  { idp_id: idpId, id }: AttemptRow,
  result: FinishedAttempt & { status: 'abandoned' | 'failed' | 'duplicate' },
): Promise<FinishedAttempt> {
  const { status: state, code = null, connectionId = null } = result;
  // Lost: another claimer closed it, and has the last word.
  return (await closeAttempt(ctx.sql, { idpId, id }, { state, code, connectionId })) ? result : PENDING;
}
