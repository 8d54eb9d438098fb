import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { HttpApp } from '../../http/app-type.ts';
import { type Browser, browserOf, describeClient, dropClientCookie } from './browser-client.ts';
import type { ProviderContext } from './context.ts';
import { endSession } from './end-session.ts';
import { environment } from './environment.ts';
import { issueSessionToken } from './issue-tokens.ts';
import { refusals } from './provider-error.ts';
import { isId } from './read-body.ts';
import type { ClientRow, SessionRow } from './rows.ts';
import { findSession, listClientSessions, touchSession } from './session-queries.ts';
import { clientSessionShape } from './shapes.ts';
import { findUser } from './user-queries.ts';

const sessionPath = { params: z.object({ id: z.string() }) };

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

  app.get('/v1/client/sessions/:id', { schema: sessionPath }, async (request) => {
    const browser = await browserOf(context, request);
    const { client, session } = await ownSession(context, browser, request.params.id);
    return describe(context, client, session, browser.origin);
  });

  app.post('/v1/client/sessions/:id/tokens', { schema: sessionPath }, async (request) => {
    const browser = await browserOf(context, request);
    const { session } = await touchOwnSession(context, browser, request.params.id);
    return { object: 'token', jwt: await issueSessionToken(context.keys, context.issuer, session, browser.origin) };
  });

  app.post('/v1/client/sessions/:id/touch', { schema: sessionPath }, async (request) => {
    const browser = await browserOf(context, request);
    const { client, session } = await touchOwnSession(context, browser, request.params.id);
    return describe(context, client, session, browser.origin);
  });

  for (const [path, status] of [
    ['end', 'ended'],
    ['remove', 'removed'],
  ] as const) {
    app.post(`/v1/client/sessions/:id/${path}`, { schema: sessionPath }, async (request) => {
      const browser = await browserOf(context, request);
      const { client, session } = await ownSession(context, browser, request.params.id);
      const ended = await endSession(context, session.id, status, browser.device);
      if (!ended) throw refusals.invalidAction((await findSession(context.sql, session.id))?.status ?? session.status);
      return describe(context, client, ended, browser.origin);
    });
  }

  const signOutBrowser = async (request: FastifyRequest, reply: FastifyReply): Promise<object> => {
    dropClientCookie(context, reply);
    const { client, device, origin } = await browserOf(context, request);
    if (!client) throw refusals.signedOut();
    for (const session of await listClientSessions(context.sql, client.id)) {
      await endSession(context, session.id, 'removed', device);
    }
    return { response: await describeClient(context, client, origin), client: null };
  };
  app.delete('/v1/client/sessions', signOutBrowser);
  // The browser library sends every write as POST and names the method beside it.
  const asDelete = { schema: { querystring: z.object({ _method: z.literal('DELETE') }) } };
  app.post('/v1/client/sessions', asDelete, signOutBrowser);
}

/** The browser's own session by id, over or not; another browser's is not found. */
async function ownSession(
  context: ProviderContext,
  browser: Browser,
  id: string,
): Promise<{ client: ClientRow; session: SessionRow }> {
  if (!browser.client) throw refusals.signedOut();
  const session = isId(id) ? await findSession(context.sql, id) : undefined;
  if (!session || session.client_id !== browser.client.id) throw refusals.notFound('session', id);
  return { client: browser.client, session };
}

/** As above, with its activity noted; refused where the session is over. */
async function touchOwnSession(context: ProviderContext, browser: Browser, id: string): ReturnType<typeof ownSession> {
  const { client } = await ownSession(context, browser, id);
  const session = await touchSession(context.sql, id, client.id);
  if (!session) throw refusals.sessionOver();
  return { client, session };
}

async function describe(
  context: ProviderContext,
  client: ClientRow,
  session: SessionRow,
  origin: string,
): Promise<object> {
  const user = await findUser(context.sql, session.user_id);
  if (!user) throw refusals.notFound('user', session.user_id);
  return { response: clientSessionShape({ session, user }), client: await describeClient(context, client, origin) };
}
