import { z } from 'zod';
import type { AttemptResult, AttemptToRead, RedirectParams } from '../aggregator.ts';
import { account, type Authorization, authorization } from './schemas.ts';
import { type BrokerageUser, parseConnectionAccess } from './credential.ts';
import { getAccountLabels } from './read-accounts.ts';
import type { SnaptradeClient, SnaptradeFailure } from './snaptrade-client.ts';

/**
 * Schema of an attempt's reference, which distinguishes a new connection from earlier ones. The aggregator has no call
 * for one attempt.
 */
const referenceSchema = z.object({ before: z.array(z.string()) });

export const serializeReference = (session: string | null | undefined, existingIds: readonly string[]): string =>
  JSON.stringify({ session: session ?? null, before: existingIds });

export const listAuthorizations = (client: SnaptradeClient, user: BrokerageUser) =>
  client.call(z.array(authorization), (api, options) => api.connections.listBrokerageAuthorizations(user, options));

const fetchAuthorization = (client: SnaptradeClient, user: BrokerageUser, authorizationId: string) => {
  const { userId, userSecret } = user;
  return client.call(authorization, (api, options) =>
    api.connections.detailBrokerageAuthorization({ authorizationId, userId, userSecret }, options),
  );
};

/**
 * Returns the result of a visit to the portal. A connection id from the redirect is read with the member's own secret,
 * so that no other member's connection is found. Without such an id the result is the connection that did not exist
 * before.
 */
export async function readNewAttempt(
  client: SnaptradeClient,
  user: BrokerageUser,
  attempt: AttemptToRead,
): Promise<AttemptResult> {
  const { redirectParams, existingIds } = attempt;
  if (redirectParams?.externalId !== undefined) {
    const found = await fetchAuthorization(client, user, redirectParams.externalId);
    if (found.ok) return toLinkedResult(client, user, found.data);
    return found.status === 404 || found.status === 400 ? { state: 'not-owned' } : toUnknownResult(found);
  }
  const listed = await listAuthorizations(client, user);
  if (!listed.ok) return toUnknownResult(listed);
  const { before } = referenceSchema.parse(JSON.parse(attempt.reference));
  const newAuthorization = listed.data.find(({ id }) => !before.includes(id) && !existingIds.includes(id));
  return newAuthorization ? toLinkedResult(client, user, newAuthorization) : toUnfinishedResult(redirectParams);
}

/** Returns whether the connection works again. The aggregator's own response decides and not the redirect. */
export async function readRepair(
  client: SnaptradeClient,
  repairCredential: string,
  redirectParams: RedirectParams | undefined,
): Promise<AttemptResult> {
  const access = parseConnectionAccess(repairCredential);
  if (redirectParams?.externalId !== undefined && redirectParams.externalId !== access.connectionId)
    return { state: 'not-owned' };
  const found = await fetchAuthorization(client, access, access.connectionId);
  if (!found.ok) return found.status === 404 ? { state: 'failed', code: 'CONNECTION_GONE' } : toUnknownResult(found);
  return found.data.disabled ? toUnfinishedResult(redirectParams) : { state: 'repaired' };
}

async function toLinkedResult(
  client: SnaptradeClient,
  user: BrokerageUser,
  { id, brokerage }: Authorization,
): Promise<AttemptResult> {
  const { userId, userSecret } = user;
  const listed = await client.call(z.array(account), (api, options) =>
    api.connections.listBrokerageAuthorizationAccounts({ authorizationId: id, userId, userSecret }, options),
  );
  if (!listed.ok) return toUnknownResult(listed);
  return {
    state: 'linked',
    linkedItem: {
      institution: {
        id: brokerage.slug ?? null,
        name: (brokerage.display_name || brokerage.name || 'Brokerage').slice(0, 200),
      },
      accounts: listed.data.map(getAccountLabels),
      publicToken: id,
      externalId: id,
    },
  };
}

function toUnfinishedResult(redirectParams: RedirectParams | undefined): AttemptResult {
  if (redirectParams?.status === 'abandoned') return { state: 'abandoned', code: 'EXITED' };
  if (redirectParams?.status === 'failed') return { state: 'failed', code: redirectParams.code ?? 'FAILED' };
  return { state: 'open' };
}

const toUnknownResult = ({ code }: SnaptradeFailure): AttemptResult => ({ state: 'unknown', code });
