import type { Aggregator, LinkedItem } from './aggregator.ts';
import { type AttemptRow, closeAttempt, storeCredential } from './attempt-queries.ts';
import { commitConnection, type ExchangedCredential } from './commit-connection.ts';
import { type ConnectionContext, type FinishedAttempt, PENDING } from './context.ts';
import { enqueueRevocation } from './enqueue-revocation.ts';
import { decryptFrom, encryptFor } from './encrypt-column.ts';

type ExchangeOutcome =
  | { outcome: 'exchanged'; attempt: AttemptRow }
  | { outcome: 'unavailable' }
  | { outcome: 'refused'; code: string }
  | { outcome: 'member_deleted' };

/** Exchanges the item's token and stores the credential in the attempt immediately, so that a crash loses no token. */
export async function exchangeToken(
  ctx: ConnectionContext,
  aggregator: Aggregator,
  attempt: AttemptRow,
  { linkedItem, replaces }: { linkedItem: LinkedItem; replaces: string | undefined },
): Promise<ExchangeOutcome> {
  const { idp_id: idpId, id } = attempt;
  const exchangeResult = await aggregator.exchangeToken(linkedItem.publicToken, idpId);
  if (!exchangeResult.ok) {
    ctx.logger.warn({ attempt: id, code: exchangeResult.code }, 'an attempt to connect could not be redeemed');
    return exchangeResult.reason === 'unavailable'
      ? { outcome: 'unavailable' }
      : { outcome: 'refused', code: exchangeResult.code };
  }
  const { credential, externalId } = exchangeResult;
  const exchanged: ExchangedCredential = { credential, institution: linkedItem.institution, replaces };
  const encryptedCredential = encryptFor(ctx.ring, toCredentialCell(attempt), JSON.stringify(exchanged));
  if (await storeCredential(ctx.sql, { idpId, id }, { externalId, encryptedCredential }))
    return {
      outcome: 'exchanged',
      attempt: { ...attempt, external_id: externalId, sealed_credential: encryptedCredential },
    };
  await enqueueRevocation(ctx, ctx.sql, aggregator.provider, credential);
  return { outcome: 'member_deleted' };
}

/** Creates a connection from the stored credential when its accounts can be read. */
export async function buildConnection(
  ctx: ConnectionContext,
  aggregator: Aggregator,
  attempt: AttemptRow,
): Promise<FinishedAttempt> {
  const text = decryptFrom(ctx.ring, toCredentialCell(attempt), attempt.sealed_credential!);
  const exchanged = JSON.parse(text) as ExchangedCredential;
  const result = await aggregator.readPortfolio(exchanged.credential);
  if (!result.ok) {
    ctx.logger.warn({ attempt: attempt.id, code: result.code }, 'the accounts of a new connection could not be read');
    const shouldRetry = result.reason === 'unavailable' && !attempt.is_over;
    return shouldRetry ? PENDING : failAndRevoke(ctx, aggregator, attempt, exchanged.credential, result.code);
  }
  if (result.portfolio.accounts.length === 0)
    return failAndRevoke(ctx, aggregator, attempt, exchanged.credential, 'NO_ACCOUNTS');
  return commitConnection(ctx, aggregator, attempt, exchanged, result.portfolio);
}

/** Revokes access that the aggregator created for a sign-in without new accounts. */
export async function revokeUnused(
  ctx: ConnectionContext,
  aggregator: Aggregator,
  idpId: string,
  publicToken: string,
): Promise<void> {
  const exchangeResult = await aggregator.exchangeToken(publicToken, idpId);
  if (!exchangeResult.ok) return;
  await ctx.sql.transaction((sql) => enqueueRevocation(ctx, sql, aggregator.provider, exchangeResult.credential));
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
    await enqueueRevocation(ctx, sql, aggregator.provider, credential);
    return { status: 'failed', code };
  });
}

const toCredentialCell = ({ idp_id: idpId, id }: AttemptRow) =>
  ({ column: 'connection_attempts.sealed_credential', idpId, row: id }) as const;
