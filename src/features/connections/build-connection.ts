import type { Aggregator, LinkedItem } from './aggregator.ts';
import { type AttemptRow, type ClaimedAttempt, closeAttempt, findAttempt, storeCredential } from './attempt-queries.ts';
import { commitConnection, type ExchangedCredential } from './commit-connection.ts';
import { type ConnectionContext, type FinishedAttempt, PENDING } from './context.ts';
import { enqueueRevocation } from './enqueue-revocation.ts';
import { decryptFrom, encryptFor } from './encrypt-column.ts';

/**
 * Exchanges the item's token and builds the connection. The credential is stored in the attempt immediately, so that a
 * crash loses no token.
 */
export async function exchangeToken(
  context: ConnectionContext,
  aggregator: Aggregator,
  attempt: ClaimedAttempt,
  { linkedItem, replaces }: { linkedItem: LinkedItem; replaces: string | undefined },
): Promise<FinishedAttempt> {
  const { idp_id: idpId, id } = attempt;
  const exchangeResult = await aggregator.exchangeToken(linkedItem.publicToken, idpId);
  if (!exchangeResult.ok) {
    context.logger.warn(
      { attempt: id, code: exchangeResult.code },
      'failed to exchange the public token of a connection attempt',
    );
    if (exchangeResult.reason === 'unavailable') return PENDING;
    const { code } = exchangeResult;
    return (await closeAttempt(context.sql, attempt, { state: 'failed', code })) ? { status: 'failed', code } : PENDING;
  }
  const { credential, externalId } = exchangeResult;
  const exchanged: ExchangedCredential = { credential, institution: linkedItem.institution, replaces };
  const encryptedCredential = encryptFor(context.ring, toCredentialCell(attempt), JSON.stringify(exchanged));
  if (await storeCredential(context.sql, attempt, { externalId, encryptedCredential }))
    return buildConnection(context, aggregator, {
      ...attempt,
      external_id: externalId,
      sealed_credential: encryptedCredential,
    });
  const current = await findAttempt(context.sql, idpId, id);
  // If an exchange returns the connection's own access, the caller that now holds the lease uses this access too.
  const isShared = current?.state === 'open' && aggregator.getConnectionId?.(credential) !== undefined;
  if (!isShared) await enqueueRevocation(context, context.sql, aggregator.provider, credential);
  return current ? PENDING : { status: 'failed', code: 'GONE' };
}

/** Creates a connection from the stored credential when its accounts can be read. */
export async function buildConnection(
  context: ConnectionContext,
  aggregator: Aggregator,
  attempt: ClaimedAttempt,
): Promise<FinishedAttempt> {
  const text = decryptFrom(context.ring, toCredentialCell(attempt), attempt.sealed_credential!);
  const exchanged = JSON.parse(text) as ExchangedCredential;
  const result = await aggregator.readPortfolio(exchanged.credential);
  if (!result.ok) {
    context.logger.warn({ attempt: attempt.id, code: result.code }, 'failed to read the accounts of a new connection');
    const shouldRetry = result.reason === 'unavailable' && !attempt.is_over;
    return shouldRetry ? PENDING : failAndRevoke(context, aggregator, attempt, exchanged.credential, result.code);
  }
  if (result.portfolio.accounts.length === 0)
    return failAndRevoke(context, aggregator, attempt, exchanged.credential, 'NO_ACCOUNTS');
  return commitConnection(context, aggregator, attempt, exchanged, result.portfolio);
}

/** Revokes access that the aggregator created for a sign-in without new accounts. */
export async function revokeUnused(
  context: ConnectionContext,
  aggregator: Aggregator,
  idpId: string,
  publicToken: string,
): Promise<void> {
  const exchangeResult = await aggregator.exchangeToken(publicToken, idpId);
  if (!exchangeResult.ok) return;
  await context.sql.transaction((sql) =>
    enqueueRevocation(context, sql, aggregator.provider, exchangeResult.credential),
  );
}

async function failAndRevoke(
  context: ConnectionContext,
  aggregator: Aggregator,
  attempt: ClaimedAttempt,
  credential: string,
  code: string,
): Promise<FinishedAttempt> {
  return context.sql.transaction(async (sql): Promise<FinishedAttempt> => {
    if (!(await closeAttempt(sql, attempt, { state: 'failed', code }))) return PENDING;
    await enqueueRevocation(context, sql, aggregator.provider, credential);
    return { status: 'failed', code };
  });
}

const toCredentialCell = ({ idp_id: idpId, id }: AttemptRow) =>
  ({ column: 'connection_attempts.sealed_credential', idpId, row: id }) as const;
