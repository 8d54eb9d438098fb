import type { Aggregator, Offer } from './aggregator.ts';
import { type AttemptRow, closeAttempt, storeCredential } from './attempt-queries.ts';
import { commitConnection, type ExchangedCredential } from './commit-connection.ts';
import { type ConnectionContext, type FinishedAttempt, PENDING } from './context.ts';
import { queueRemoval } from './queue-removal.ts';
import { openFrom, sealFor } from './seal-column.ts';

type Exchange =
  | { outcome: 'exchanged'; attempt: AttemptRow }
  | { outcome: 'unavailable' }
  | { outcome: 'refused'; code: string }
  | { outcome: 'member_deleted' };

/** Exchanges the offer's token and stores the credential in the attempt at once, so that a crash loses none. */
export async function exchangeToken(
  ctx: ConnectionContext,
  aggregator: Aggregator,
  attempt: AttemptRow,
  { offer, replaces }: { offer: Offer; replaces: string | undefined },
): Promise<Exchange> {
  const { idp_id: idpId, id } = attempt;
  const redeemed = await aggregator.redeem(offer.claim, idpId);
  if (!redeemed.ok) {
    ctx.logger.warn({ attempt: id, code: redeemed.code }, 'an attempt to connect could not be redeemed');
    return redeemed.reason === 'unavailable' ? { outcome: 'unavailable' } : { outcome: 'refused', code: redeemed.code };
  }
  const { credential, externalId } = redeemed;
  const exchanged: ExchangedCredential = { credential, institution: offer.institution, replaces };
  const sealed = sealFor(ctx.ring, credentialColumn(attempt), JSON.stringify(exchanged));
  if (await storeCredential(ctx.sql, { idpId, id }, { externalId, sealed }))
    return { outcome: 'exchanged', attempt: { ...attempt, external_id: externalId, sealed_credential: sealed } };
  await queueRemoval(ctx, ctx.sql, aggregator.provider, credential);
  return { outcome: 'member_deleted' };
}

/** Makes a connection of the stored credential, once its accounts can be read. */
export async function buildConnection(
  ctx: ConnectionContext,
  aggregator: Aggregator,
  attempt: AttemptRow,
): Promise<FinishedAttempt> {
  const text = openFrom(ctx.ring, credentialColumn(attempt), attempt.sealed_credential!);
  const exchanged = JSON.parse(text) as ExchangedCredential;
  const read = await aggregator.readPortfolio(exchanged.credential);
  if (!read.ok) {
    ctx.logger.warn({ attempt: attempt.id, code: read.code }, 'the accounts of a new connection could not be read');
    const retries = read.reason === 'unavailable' && !attempt.is_over;
    return retries ? PENDING : failAndRevoke(ctx, aggregator, attempt, exchanged.credential, read.code);
  }
  if (read.portfolio.accounts.length === 0)
    return failAndRevoke(ctx, aggregator, attempt, exchanged.credential, 'NO_ACCOUNTS');
  return commitConnection(ctx, aggregator, attempt, exchanged, read.portfolio);
}

/** Revokes an access that the aggregator made for a sign-in of which nothing is new. */
export async function revokeUnused(
  ctx: ConnectionContext,
  aggregator: Aggregator,
  idpId: string,
  claim: string,
): Promise<void> {
  const redeemed = await aggregator.redeem(claim, idpId);
  if (!redeemed.ok) return;
  await ctx.sql.transaction((sql) => queueRemoval(ctx, sql, aggregator.provider, redeemed.credential));
}

async function failAndRevoke(
  ctx: ConnectionContext,
  aggregator: Aggregator,
  { idp_id: idpId, id }: AttemptRow,
  credential: string,
  code: string,
): Promise<FinishedAttempt> {
  return ctx.sql.transaction(async (sql): Promise<FinishedAttempt> => {
    if (!(await closeAttempt(sql, { idpId, id }, { state: 'failed', code }))) return PENDING;
    await queueRemoval(ctx, sql, aggregator.provider, credential);
    return { status: 'failed', code };
  });
}

const credentialColumn = ({ idp_id: idpId, id }: AttemptRow) =>
  ({ column: 'connection_attempts.sealed_credential', idpId, row: id }) as const;
