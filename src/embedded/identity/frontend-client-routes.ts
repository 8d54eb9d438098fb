import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpApp } from '../../platform/http/app-type.ts';
import {
  type Browser,
  findOwnSession,
  readBrowser,
  toClientResponse,
  type SessionBrowser,
  setClientCookie,
} from './browser-client.ts';
import type { ProviderContext } from './context.ts';
import { endSession } from './end-session.ts';
import { getEnvironment } from './environment.ts';
import { issueSessionToken } from './issue-tokens.ts';
import { limitMember } from './limit-attempts.ts';
import { providerErrors } from './provider-error.ts';
import { idParamsSchema, getMethodOverride } from './route-helpers.ts';
import { findSession, listClientSessions, touchSession } from './session-queries.ts';
import { toClientSessionResponse } from './responses.ts';
import { findUser } from './user-queries.ts';

/** Adds the routes of the browser's client, its sessions and their tokens. */
export function addClientRoutes(app: HttpApp, context: ProviderContext): void {
  app.get('/v1/environment', async () =>
    getEnvironment(await context.keys.instanceId(), context.signUpMode, context.passkeySite !== undefined),
  );
  app.get('/.well-known/jwks.json', async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=60');
    return context.keys.jwks();
  });

  app.get('/v1/client', async (request) => {
    const { client, origin } = await readLimitedBrowser(context, request);
    return { response: client ? await toClientResponse(context, client, origin) : null, client: null };
  });

  app.get('/v1/client/sessions/:id', { schema: idParamsSchema }, async (request) =>
    toSessionAndClientResponse(context, await findOwnSession(context, request, request.params.id)),
  );

  app.post('/v1/client/sessions/:id/tokens', { schema: idParamsSchema }, async (request) => {
    const { session, origin } = await touchFoundSession(context, request, request.params.id);
    return { object: 'token', jwt: await issueSessionToken(context, session, origin) };
  });

  app.post('/v1/client/sessions/:id/touch', { schema: idParamsSchema }, async (request) =>
    toSessionAndClientResponse(context, await touchFoundSession(context, request, request.params.id)),
  );

  for (const [path, status] of Object.entries({ end: 'ended', remove: 'removed' } as const)) {
    app.post(`/v1/client/sessions/:id/${path}`, { schema: idParamsSchema }, async (request) => {
      const browserSession = await findOwnSession(context, request, request.params.id);
      const session = await endSession(context, browserSession.session.id, status, browserSession.device);
      if (session) return toSessionAndClientResponse(context, { ...browserSession, session });
      throw providerErrors.invalidAction(
        (await findSession(context.sql, browserSession.session.id))?.status ?? browserSession.session.status,
      );
    });
  }

  const signOutBrowser = async (request: FastifyRequest, reply: FastifyReply): Promise<object> => {
    const { client, device, origin } = await readLimitedBrowser(context, request);
    // A response keeps the header when the route fails, so it is set once the request is counted.
    setClientCookie(context, reply, '', 0);
    if (!client) throw providerErrors.signedOut();
    for (const session of await listClientSessions(context.sql, client.id)) {
      await endSession(context, session.id, 'removed', device);
    }
    return { response: await toClientResponse(context, client, origin), client: null };
  };
  app.delete('/v1/client/sessions', signOutBrowser);
  app.post('/v1/client/sessions', getMethodOverride('DELETE'), signOutBrowser);
}

/** Returns the browser, and counts the request for each user that is signed in there. */
async function readLimitedBrowser(context: ProviderContext, request: FastifyRequest): Promise<Browser> {
  const browser = await readBrowser(context, request);
  const sessions = browser.client ? await listClientSessions(context.sql, browser.client.id) : [];
  for (const userId of new Set(sessions.map((session) => session.user_id))) await limitMember(context, request, userId);
  return browser;
}

/** Returns the browser's own session and records its activity. Throws if the session has ended. */
async function touchFoundSession(
  context: ProviderContext,
  request: FastifyRequest,
  id: string,
): Promise<SessionBrowser> {
  const browserSession = await findOwnSession(context, request, id);
  const session = await touchSession(context.sql, id, browserSession.client.id);
  if (!session) throw providerErrors.sessionEnded();
  return { ...browserSession, session };
}

async function toSessionAndClientResponse(
  context: ProviderContext,
  { client, session, origin }: SessionBrowser,
): Promise<object> {
  const user = await findUser(context.sql, session.user_id);
  if (!user) throw providerErrors.notFound('user', session.user_id);
  return {
    response: toClientSessionResponse({ session, user }),
    client: await toClientResponse(context, client, origin),
  };
}
