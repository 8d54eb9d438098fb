import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { enqueueAccountMail } from './account-mail.ts';
import { toClientResponse } from './browser-client.ts';
import { changeProfile } from './change-profile.ts';
import type { ProviderContext } from './context.ts';
import { removeSignedIn } from './remove-user.ts';
import { commitWithEvents, emitEvent } from './emit-event.ts';
import { closeSessionWithEvent } from './end-session.ts';
import { describeChangeLimit, limitChanges, verifyPasswordWithinLimits } from './limit-attempts.ts';
import { mergeMetadata } from './merge-metadata.ts';
import { assertFresh, lockSignedIn, requireOwnAccount, requireSignedIn } from './own-account.ts';
import { HASH_RANKS, hashPassword } from './passwords.ts';
import { providerErrors } from './provider-error.ts';
import { isId, metadataField, nameField, passwordField, readFields } from './read-body.ts';
import { idParamsSchema, getMethodOverride } from './route-helpers.ts';
import { revokeForEvent } from './revoke-credentials.ts';
import type { UserRow } from './rows.ts';
import { findSession, listSessions } from './session-queries.ts';
import { toBackendUserResponse, toSessionResponse, toUserResponse } from './responses.ts';
import { findUser, type Profile, replacePassword } from './user-queries.ts';

const profileFields = z.strictObject({
  first_name: nameField.optional(),
  last_name: nameField.optional(),
  unsafe_metadata: metadataField.optional(),
});

const metadataFields = z.strictObject({ unsafe_metadata: metadataField });

const booleanField = z
  .union([z.boolean(), z.enum(['true', 'false'])])
  .transform((value) => value === true || value === 'true');
const passwordFields = z.strictObject({
  current_password: passwordField,
  new_password: passwordField,
  /** Ignored: other sessions always end. */
  sign_out_of_other_sessions: booleanField.optional(),
  /** Tally's own fields. The hosted provider has neither API keys nor assistant tokens. */
  revoke_api_keys_and_tokens: booleanField.optional(),
  revoke_passkeys: booleanField.optional(),
});

const methodOverride = z.object({ _method: z.enum(['PATCH', 'DELETE']) });

/** Adds the routes of the signed-in user. The demo account and the sample user may only read. */
export function addMeRoutes(app: HttpApp, context: ProviderContext): void {
  const changeLimit = describeChangeLimit(context, 'profile');

  app.get('/v1/me', async (request) => {
    const { user, client, origin } = await requireSignedIn(context, request);
    return { response: toUserResponse(user), client: await toClientResponse(context, client, origin) };
  });

  const change = async (request: FastifyRequest, makeChange: (user: UserRow) => Profile): Promise<object> => {
    const signedIn = await requireOwnAccount(context, request);
    await limitChanges(context, 'profile', signedIn.user.id);
    const changed = await changeProfile(context, signedIn, makeChange);
    const client = await toClientResponse(context, signedIn.client, signedIn.origin);
    return { response: toUserResponse(changed), client };
  };
  const deleteMe = async (request: FastifyRequest): Promise<object> => {
    const signedIn = await requireOwnAccount(context, request);
    assertFresh(signedIn.session);
    return { response: await removeSignedIn(context, signedIn), client: null };
  };
  app.delete('/v1/me', deleteMe);
  const replaceFields = (request: FastifyRequest): Promise<object> =>
    change(request, () => readFields(profileFields, request.body));
  const mergeFields = (request: FastifyRequest): Promise<object> =>
    change(request, (user) => {
      const { unsafe_metadata } = readFields(metadataFields, request.body);
      return { unsafe_metadata: mergeMetadata(user.unsafe_metadata, unsafe_metadata) };
    });
  app.patch('/v1/me', changeLimit, replaceFields);
  app.post('/v1/me', { ...changeLimit, schema: { querystring: methodOverride } }, (request) =>
    request.query._method === 'PATCH' ? replaceFields(request) : deleteMe(request),
  );
  app.patch('/v1/me/metadata', changeLimit, mergeFields);
  app.post('/v1/me/metadata', { ...changeLimit, ...getMethodOverride('PATCH') }, mergeFields);

  app.post('/v1/me/change_password', describeChangeLimit(context, 'password'), async (request) => {
    const { user, ...browser } = await requireOwnAccount(context, request);
    const { client, session, device, origin } = browser;
    const fields = readFields(passwordFields, request.body);
    const attempt = { email: user.email.toLowerCase(), password: fields.current_password, hash: user.password_hash };
    if (!(await verifyPasswordWithinLimits(context, { browser, ...attempt }))) throw providerErrors.passwordIncorrect();
    await limitChanges(context, 'password', user.id);
    const hashOwner = { owner: `user ${user.id}`, rank: HASH_RANKS.known };
    const hash = await hashPassword(fields.new_password, hashOwner, { email: user.email, cost: context.passwordCost });
    const changed = await commitWithEvents(context, async (sql) => {
      await lockSignedIn(sql, { user, session });
      const row = await replacePassword(sql, user.id, user.password_hash!, hash);
      if (!row) throw providerErrors.passwordIncorrect();
      const except = { sessionId: session.id, clientId: client.id };
      const ticked = [
        ...(fields.revoke_api_keys_and_tokens ? (['keys_and_tokens'] as const) : []),
        ...(fields.revoke_passkeys ? (['passkeys'] as const) : []),
      ];
      await revokeForEvent(sql, context, 'password_change', { userId: user.id, device, except, ticked });
      const updated = (await findUser(sql, user.id))!;
      await emitEvent(sql, context, 'user.updated', toBackendUserResponse(updated), device);
      await enqueueAccountMail(sql, context, { kind: 'password_changed', userId: user.id });
      return updated;
    });
    return { response: toUserResponse(changed), client: await toClientResponse(context, client, origin) };
  });

  app.get('/v1/me/sessions/active', async (request) => {
    const { user } = await requireOwnAccount(context, request);
    const activeFilter = { userId: user.id, status: 'active' };
    const sessions = await listSessions(context.sql, activeFilter, { limit: 100, offset: 0 });
    return sessions.map(toSessionResponse);
  });

  app.post('/v1/me/sessions/:id/revoke', { schema: idParamsSchema }, async (request) => {
    const signedIn = await requireOwnAccount(context, request);
    const { user, client, device, origin } = signedIn;
    const { id } = request.params;
    assertFresh(signedIn.session);
    const revoked = await commitWithEvents(context, async (sql) => {
      await lockSignedIn(sql, signedIn);
      const session = isId(id) ? await findSession(sql, id) : undefined;
      if (!session || session.user_id !== user.id) throw providerErrors.notFound('session', id);
      const ended = await closeSessionWithEvent(sql, context, id, 'revoked', device);
      if (!ended) throw providerErrors.invalidAction(session.status);
      return ended;
    });
    return { response: toSessionResponse(revoked), client: await toClientResponse(context, client, origin) };
  });
}
