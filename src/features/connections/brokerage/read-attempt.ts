import { z } from 'zod';
import type { AttemptResult, AttemptToRead, Returned } from '../aggregator.ts';
import { account, type Authorization, authorization } from './answers.ts';
import { type BrokerageUser, connectionAccess } from './credential.ts';
import { namesOf } from './read-accounts.ts';
import type { SnaptradeClient, SnaptradeFailure } from './snaptrade-client.ts';

/** What tells a new connection from those before; the aggregator has no call for one attempt. */
const reference = z.object({ before: z.array(z.string()) });

export const writeReference = (session: string | null | undefined, before: readonly string[]): string =>
  JSON.stringify({ session: session ?? null, before });

export const listConnections = (client: SnaptradeClient, user: BrokerageUser) =>
  client.call(z.array(authorization), (api, options) => api.connections.listBrokerageAuthorizations(user, options));

const detail = (client: SnaptradeClient, user: BrokerageUser, authorizationId: string) => {
  const { userId, userSecret } = user;
  return client.call(authorization, (api, options) =>
    api.connections.detailBrokerageAuthorization({ authorizationId, userId, userSecret }, options),
  );
};

/**
 * What came of a visit to the portal. What the browser brought back is asked for with the member's own secret, so that
 * nobody else's connection is found by it; without it, it is the connection that was not there before.
 */
export async function readNew(
  client: SnaptradeClient,
  user: BrokerageUser,
  attempt: AttemptToRead,
): Promise<AttemptResult> {
  const { returned, known } = attempt;
  if (returned?.externalId !== undefined) {
    const found = await detail(client, user, returned.externalId);
    if (found.ok) return offer(client, user, found.data);
    return found.status === 404 || found.status === 400 ? { state: 'foreign' } : unknown(found);
  }
  const listed = await listConnections(client, user);
  if (!listed.ok) return unknown(listed);
  const { before } = reference.parse(JSON.parse(attempt.reference));
  const added = listed.data.find(({ id }) => !before.includes(id) && !known.includes(id));
  return added ? offer(client, user, added) : asReturned(returned);
}

/** Whether the connection works again: the aggregator's own answer, whatever the browser brought back. */
export async function readRepair(
  client: SnaptradeClient,
  repair: string,
  returned: Returned | undefined,
): Promise<AttemptResult> {
  const access = connectionAccess(repair);
  if (returned?.externalId !== undefined && returned.externalId !== access.connectionId) return { state: 'foreign' };
  const found = await detail(client, access, access.connectionId);
  if (!found.ok) return found.status === 404 ? { state: 'failed', code: 'CONNECTION_GONE' } : unknown(found);
  return found.data.disabled ? asReturned(returned) : { state: 'repaired' };
}

async function offer(
  client: SnaptradeClient,
  user: BrokerageUser,
  { id, brokerage }: Authorization,
): Promise<AttemptResult> {
  const { userId, userSecret } = user;
  const listed = await client.call(z.array(account), (api, options) =>
    api.connections.listBrokerageAuthorizationAccounts({ authorizationId: id, userId, userSecret }, options),
  );
  if (!listed.ok) return unknown(listed);
  return {
    state: 'offered',
    offer: {
      institution: {
        id: brokerage.slug ?? null,
        name: (brokerage.display_name || brokerage.name || 'Brokerage').slice(0, 200),
      },
      accounts: listed.data.map(namesOf),
      ...{ claim: id, externalId: id },
    },
  };
}

function asReturned(returned: Returned | undefined): AttemptResult {
  if (returned?.status === 'abandoned') return { state: 'abandoned', code: 'EXITED' };
  if (returned?.status === 'failed') return { state: 'failed', code: returned.code ?? 'FAILED' };
  return { state: 'open' };
}

const unknown = ({ code }: SnaptradeFailure): AttemptResult => ({ state: 'unknown', code });
