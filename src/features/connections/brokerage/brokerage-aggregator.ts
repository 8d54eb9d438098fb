import { sortedJsonHmac } from '../../../platform/http/webhook-schemes/sorted-json-hmac.ts';
import type { Aggregator, ClientSettings, StartRequest } from '../aggregator.ts';
import { anything, portal } from './answers.ts';
import { ensureBrokerageUser, findBrokerageUser, SNAPTRADE, type UserStore } from './brokerage-users.ts';
import { type BrokerageUser, connectionAccess, readAccess, writeAccess } from './credential.ts';
import { listConnections, readNew, readRepair, writeReference } from './read-attempt.ts';
import { readPortfolio } from './read-portfolio.ts';
import { createSnaptradeClient, isUnknownUser, type SnaptradeClient } from './snaptrade-client.ts';
import { deleteUser } from './user-queries.ts';
import { brokerageEvent } from './webhook-event.ts';

/** The portal's link can be opened for so long. */
const LINK_MS = 5 * 60_000;

/**
 * Brokerages, through SnapTrade: its portal alone, by redirects, to read and never to trade. `secret` is its consumer
 * key, which signs requests here and webhooks there.
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
    start: (request) => (request.repair === undefined ? startNew(client, store, request) : login(client, request)),
    async readAttempt(attempt) {
      if (attempt.repair !== undefined) return readRepair(client, attempt.repair, attempt.returned);
      const user = await findBrokerageUser(store, attempt.idpId);
      return user ? readNew(client, user, attempt) : { state: 'failed', code: 'USER_GONE' };
    },
    async redeem(connectionId, idpId) {
      const user = await findBrokerageUser(store, idpId);
      if (!user) return { ok: false, reason: 'refused', code: 'USER_GONE' };
      return { ok: true, externalId: connectionId, credential: writeAccess({ ...user, connectionId }) };
    },
    readPortfolio: (credential) => readPortfolio(client, connectionAccess(credential)),
    async remove(credential) {
      const ended = await end(client, credential);
      // What the aggregator does not know any more is gone with all that was in it.
      return ended.ok || ended.status === 404 || isUnknownUser(ended) ? { ok: true } : ended;
    },
    connectionOf: (credential) => readAccess(credential).connectionId,
    webhook: {
      path: 'brokerage',
      sender: 'the brokerage aggregator',
      event: brokerageEvent,
      // Deliveries are sent again for hours, so that a day old one is still of now; each counts once.
      tolerance: { past: 86_400, future: 300 },
      scheme: sortedJsonHmac({ header: 'signature', timeField: 'eventTimestamp', secrets: [settings.secret] }),
    },
  };
}

async function startNew(client: SnaptradeClient, store: UserStore, request: StartRequest, isRetry = false) {
  const ensured = await ensureBrokerageUser(store, client, request.idpId);
  if (!ensured.ok) return ensured;
  const { user } = ensured;
  const listed = await listConnections(client, user);
  if (listed.ok) {
    const before = listed.data.map(({ id }) => id);
    return login(client, request, user, before);
  }
  if (!isUnknownUser(listed) || isRetry) return listed;
  // Their user was ended over there; a new one takes its place.
  await deleteUser(store.sql, request.idpId, user.userId);
  return startNew(client, store, request, true);
}

async function login(
  client: SnaptradeClient,
  { returnUrl, repair }: StartRequest,
  user?: BrokerageUser,
  before: readonly string[] = [],
): ReturnType<Aggregator['start']> {
  const access = repair === undefined ? undefined : connectionAccess(repair);
  const { userId, userSecret } = (access ?? user)!;
  const linked = await client.call(portal, (api, options) =>
    api.authentication.loginSnapTradeUser(
      {
        ...{ userId, userSecret, customRedirect: returnUrl, immediateRedirect: true, connectionType: 'read' },
        ...(access && { reconnect: access.connectionId }),
      },
      options,
    ),
  );
  if (!linked.ok) return linked;
  const { redirectURI: url, sessionId } = linked.data;
  return { ok: true, url, reference: writeReference(sessionId, before), expiresAt: new Date(Date.now() + LINK_MS) };
}

function end(client: SnaptradeClient, credential: string) {
  const access = readAccess(credential);
  return client.call(anything, (api, options) =>
    access.connectionId === undefined
      ? api.authentication.deleteSnapTradeUser({ userId: access.userId }, options)
      : api.connections.deleteConnection(access, options),
  );
}
