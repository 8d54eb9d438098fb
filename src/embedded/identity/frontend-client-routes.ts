import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { browserOf, describeClient, type SessionBrowser, setClientCookie } from './browser-client.ts';
import type { ProviderContext } from './context.ts';
import { endSession } from './end-session.ts';
import { environment } from './environment.ts';
import { issueSessionToken } from './issue-tokens.ts';
import { refusals } from './provider-error.ts';
import { isId } from './read-body.ts';
import { byId, sentAs } from './route-parts.ts';
import { findSession, listClientSessions, touchSession } from './session-queries.ts';
import { clientSessionShape } from './shapes.ts';
import { findUser } from './user-queries.ts';

/** The browser's client, its sessions and their tokens. */
export function addClientRoutes(app: HttpApp, context: ProviderContext): void {
  app.get('/v1/environment', async () => environment(await context.keys.instanceId()));
  app.get('/.well-known/jwks.json', async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=60');
    return context.keys.jwks();
  });

  app.get('/v1/client', async (request) => {
    const { client, origin } = await browserOf(context, request);
    return { response: client ? await describeClient(context, client, origin) : null, client: null };
  });

  app.get('/v1/client/sessions/:id', { schema: byId }, async (request) =>
    describe(context, await ownSession(context, request, request.params.id)),
  );

  app.post('/v1/client/sessions/:id/tokens', { schema: byId }, async (request) => {
    const { session, origin } = await touchOwnSession(context, request, request.params.id);
    return { object: 'token', jwt: await issueSessionToken(context, session, origin) };
  });

  app.post('/v1/client/sessions/:id/touch', { schema: byId }, async (request) =>
    describe(context, await touchOwnSession(context, request, request.params.id)),
  );

  for (const [path, status] of Object.entries({ end: 'ended', remove: 'removed' } as const)) {
    app.post(`/v1/client/sessions/:id/${path}`, { schema: byId }, async (request) => {
      const own = await ownSession(context, request, request.params.id);
      const session = await endSession(context, own.session.id, status, own.device);
      if (session) return describe(context, { ...own, session });
      throw refusals.invalidAction((await findSession(context.sql, own.session.id))?.status ?? own.session.status);
    });
  }

  const signOutBrowser = async (request: FastifyRequest, reply: FastifyReply): Promise<object> => {
    setClientCookie(context, reply, '', 0);
    const { client, device, origin } = await browserOf(context, request);
    if (!client) throw refusals.signedOut();
    for (const session of await listClientSessions(context.sql, client.id)) {
      await endSession(context, session.id, 'removed', device);
    }
    return { response: await describeClient(context, client, origin), client: null };
  };
  app.delete('/v1/client/sessions', signOutBrowser);
  app.post('/v1/client/sessions', sentAs('DELETE'), signOutBrowser);
}

/** The browser's own session by id, over or not; another browser's is not found. */
async function ownSession(context: ProviderContext, request: FastifyRequest, id: string): Promise<SessionBrowser> {
  const { client, ...browser } = await browserOf(context, request);
  if (!client) throw refusals.signedOut();
  const session = isId(id) ? await findSession(context.sql, id) : undefined;
  if (!session || session.client_id !== client.id) throw refusals.notFound('session', id);
  return { ...browser, client, session };
}

/** As above, with its activity noted; refused where the session is over. */
async function touchOwnSession(context: ProviderContext, request: FastifyRequest, id: string): Promise<SessionBrowser> {
  const own = await ownSession(context, request, id);
  const session = await touchSession(context.sql, id, own.client.id);
  if (!session) throw refusals.sessionOver();
  return { ...own, session };
}

async function describe(context: ProviderContext, { client, session, origin }: SessionBrowser): Promise<object> {
  const user = await findUser(context.sql, session.user_id);
  if (!user) throw refusals.notFound('user', session.user_id);
  return { response: clientSessionShape({ session, user }), client: await describeClient(context, client, origin) };
}
