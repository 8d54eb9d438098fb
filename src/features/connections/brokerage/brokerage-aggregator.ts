import { createSortedJsonHmacScheme } from '../../../platform/http/webhook-schemes/sorted-json-hmac.ts';
import type { Aggregator, ClientSettings, StartRequest } from '../aggregator.ts';
import { anyResponse, portalLink } from './schemas.ts';
import { ensureBrokerageUser, findBrokerageUser, SNAPTRADE, type UserStore } from './brokerage-users.ts';
import { type BrokerageUser, parseConnectionAccess, parseAccess, serializeAccess } from './credential.ts';
import { listAuthorizations, readNewAttempt, readRepair, serializeReference } from './read-attempt.ts';
import { readPortfolio } from './read-portfolio.ts';
import { createSnaptradeClient, isUnknownUser, type SnaptradeClient } from './snaptrade-client.ts';
import { deleteUser } from './user-queries.ts';
import { brokerageEvent } from './webhook-event.ts';

/** Lifetime of the portal's link in ms. */
const LINK_LIFETIME_MS = 5 * 60_000;

/**
 * Creates the aggregator of brokerages on SnapTrade. It uses only the portal with redirects, with read access and never
 * trading. `secret` is the consumer key, which signs our requests and the aggregator's webhooks.
 */
export function createBrokerageAggregator(
  { isSandbox = false, ...settings }: ClientSettings,
  store: UserStore,
): Aggregator {
  const client = createSnaptradeClient(settings);
  return {
    kind: 'brokerage',
    provider: SNAPTRADE,
    isSandbox,
    start: (request) =>
      request.repairCredential === undefined
        ? startConnection(client, store, request)
        : createPortalLink(client, request),
    async readAttempt(attempt) {
      if (attempt.repairCredential !== undefined)
        return readRepair(client, attempt.repairCredential, attempt.redirectParams);
      const user = await findBrokerageUser(store, attempt.idpId);
      return user ? readNewAttempt(client, user, attempt) : { state: 'failed', code: 'USER_GONE' };
    },
    async exchangeToken(connectionId, idpId) {
      const user = await findBrokerageUser(store, idpId);
      if (!user) return { ok: false, reason: 'rejected', code: 'USER_GONE' };
      return { ok: true, externalId: connectionId, credential: serializeAccess({ ...user, connectionId }) };
    },
    readPortfolio: (credential) => readPortfolio(client, parseConnectionAccess(credential)),
    async revoke(credential) {
      const result = await revokeAccess(client, credential);
      // A connection or user that the aggregator does not have is already deleted.
      return result.ok || result.status === 404 || isUnknownUser(result) ? { ok: true } : result;
    },
    getConnectionId: (credential) => parseAccess(credential).connectionId,
    webhook: {
      path: 'brokerage',
      sender: 'the brokerage aggregator',
      event: brokerageEvent,
      // Deliveries are retried for hours, so a delivery that is a day old is accepted. Each delivery counts once.
      tolerance: { past: 86_400, future: 300 },
      scheme: createSortedJsonHmacScheme({
        header: 'signature',
        timeField: 'eventTimestamp',
        secrets: [settings.secret],
      }),
    },
  };
}

async function startConnection(client: SnaptradeClient, store: UserStore, request: StartRequest, isRetry = false) {
  const userResult = await ensureBrokerageUser(store, client, request.idpId);
  if (!userResult.ok) return userResult;
  const { user } = userResult;
  const listed = await listAuthorizations(client, user);
  if (listed.ok) {
    const existingIds = listed.data.map(({ id }) => id);
    return createPortalLink(client, request, user, existingIds);
  }
  if (!isUnknownUser(listed) || isRetry) return listed;
  // The user was deleted at the aggregator. A new one replaces it.
  await deleteUser(store.sql, request.idpId, user.userId);
  return startConnection(client, store, request, true);
}

async function createPortalLink(
  client: SnaptradeClient,
  { returnUrl, repairCredential }: StartRequest,
  user?: BrokerageUser,
  existingIds: readonly string[] = [],
): ReturnType<Aggregator['start']> {
  const access = repairCredential === undefined ? undefined : parseConnectionAccess(repairCredential);
  const { userId, userSecret } = (access ?? user)!;
  const linked = await client.call(portalLink, (api, options) =>
    api.authentication.loginSnapTradeUser(
      {
        userId,
        userSecret,
        customRedirect: returnUrl,
        immediateRedirect: true,
        connectionType: 'read',
        ...(access && { reconnect: access.connectionId }),
      },
      options,
    ),
  );
  if (!linked.ok) return linked;
  const { redirectURI: url, sessionId } = linked.data;
  return {
    ok: true,
    url,
    reference: serializeReference(sessionId, existingIds),
    expiresAt: new Date(Date.now() + LINK_LIFETIME_MS),
  };
}

function revokeAccess(client: SnaptradeClient, credential: string) {
  const access = parseAccess(credential);
  return client.call(anyResponse, (api, options) =>
    access.connectionId === undefined
      ? api.authentication.deleteSnapTradeUser({ userId: access.userId }, options)
      : api.connections.deleteConnection(access, options),
  );
}
