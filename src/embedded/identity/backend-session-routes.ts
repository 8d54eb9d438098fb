import { z } from 'zod';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { readDevice } from './browser-client.ts';
import type { ProviderContext } from './context.ts';
import { endSession } from './end-session.ts';
import { newId } from './ids.ts';
import { issueTicket } from './issue-tokens.ts';
import { listQuery, toPage } from './list-query.ts';
import { providerErrors } from './provider-error.ts';
import { isId, readFields } from './read-body.ts';
import { idParamsSchema, findOrThrow } from './route-helpers.ts';
import { countSessions, findSession, listSessions } from './session-queries.ts';
import { toSessionResponse, toTicketResponse } from './responses.ts';
import { findTicket, insertTicket, closePendingTicket } from './ticket-queries.ts';
import { findUser } from './user-queries.ts';

const DEFAULT_TICKET_SECONDS = 2_592_000;

const newTicketFields = z.strictObject({
  user_id: z.string({ error: 'must be a string.' }),
  expires_in_seconds: z
    .int({ error: 'must be a whole number.' })
    .min(1, { error: 'must be at least 1.' })
    .max(315_360_000, { error: 'must be at most ten years.' })
    .optional(),
});

/** Adds the Backend API routes for sign-in tokens, sessions and keys. */
export function addBackendSessionRoutes(app: HttpApp, context: ProviderContext): void {
  app.get('/v1/jwks', async () => context.keys.jwks());

  app.post('/v1/sign_in_tokens', async (request) => {
    const { user_id, expires_in_seconds = DEFAULT_TICKET_SECONDS } = readFields(newTicketFields, request.body);
    const user = await findOrThrow('user', user_id, (id) => findUser(context.sql, id));
    const ticket = await insertTicket(context.sql, newId('sit'), user.id, expires_in_seconds);
    return toTicketResponse(ticket, await issueTicket(context, ticket));
  });

  app.post('/v1/sign_in_tokens/:id/revoke', { schema: idParamsSchema }, async (request) => {
    const { id } = request.params;
    const revoked = isId(id) ? await closePendingTicket(context.sql, id, 'revoked') : undefined;
    if (revoked) return toTicketResponse(revoked);
    const { status } = await findOrThrow('sign in token', id, () => findTicket(context.sql, id));
    throw providerErrors.ticketNotRevocable(status);
  });

  app.get('/v1/sessions', { schema: { querystring: listQuery } }, async (request) => {
    const { user_id, client_id, status, paginated } = request.query;
    if (!user_id && !client_id) throw providerErrors.missing('user_id');
    const filter = { userId: user_id?.[0], clientId: client_id?.[0], status: status?.[0] };
    const data = (await listSessions(context.sql, filter, toPage(request.query))).map(toSessionResponse);
    return paginated === 'true' ? { data, total_count: await countSessions(context.sql, filter) } : data;
  });

  const requireSession = (id: string) => findOrThrow('session', id, () => findSession(context.sql, id));

  app.get('/v1/sessions/:id', { schema: idParamsSchema }, async (request) =>
    toSessionResponse(await requireSession(request.params.id)),
  );

  app.post('/v1/sessions/:id/revoke', { schema: idParamsSchema }, async (request) => {
    const { id } = request.params;
    const session = await requireSession(id);
    const revoked = await endSession(context, id, 'revoked', readDevice(request));
    if (revoked) return toSessionResponse(revoked);
    throw providerErrors.invalidAction((await findSession(context.sql, id))?.status ?? session.status);
  });
}
