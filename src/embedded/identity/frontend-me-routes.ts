import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { revokeCredentials } from '../../platform/identity/queries.ts';
import { browserOf, describeClient, type SessionBrowser } from './browser-client.ts';
import { changeProfile } from './change-profile.ts';
import type { ProviderContext } from './context.ts';
import { commit, emitEvent } from './emit-event.ts';
import { endOtherSessions, endSession } from './end-session.ts';
import { tryPassword } from './limit-attempts.ts';
import { mergeMetadata } from './merge-metadata.ts';
import { hashPassword } from './passwords.ts';
import { refusals } from './provider-error.ts';
import { isId, metadataField, nameField, passwordField, readFields } from './read-body.ts';
import { byId, sentAs } from './route-parts.ts';
import type { UserRow } from './rows.ts';
import { findSession, forgetOtherDevices, listClientSessions, listSessions } from './session-queries.ts';
import { backendUserShape, sessionShape, userShape } from './shapes.ts';
import { revokePendingTickets } from './ticket-queries.ts';
import { findUser, type Profile, replacePassword } from './user-queries.ts';

const profileFields = z.strictObject({
  first_name: nameField.optional(),
  last_name: nameField.optional(),
  unsafe_metadata: metadataField.optional(),
});

const metadataFields = z.strictObject({ unsafe_metadata: metadataField });

const yes = z.union([z.boolean(), z.enum(['true', 'false'])]).transform((value) => value === true || value === 'true');
const passwordFields = z.strictObject({
  current_password: passwordField,
  new_password: passwordField,
  sign_out_of_other_sessions: yes.optional(),
  /** Tally's own field: the hosted provider has neither API keys nor assistant tokens. */
  revoke_api_keys_and_tokens: yes.optional(),
});

/** The signed-in person about themselves. The shared demo account may look at itself and no more. */
export function addMeRoutes(app: HttpApp, context: ProviderContext): void {
  app.get('/v1/me', async (request) => {
    const { user, client, origin } = await signedIn(context, request);
    return { response: userShape(user), client: await describeClient(context, client, origin) };
  });

  const change = async (request: FastifyRequest, makeChange: (user: UserRow) => Profile): Promise<object> => {
    const { user, client, device, origin } = await signedInPerson(context, request);
    const changed = await changeProfile(context, user.id, makeChange, device);
    return { response: userShape(changed), client: await describeClient(context, client, origin) };
  };
  const replaceFields = (request: FastifyRequest): Promise<object> =>
    change(request, () => readFields(profileFields, request.body));
  const mergeFields = (request: FastifyRequest): Promise<object> =>
    change(request, (user) => {
      const { unsafe_metadata } = readFields(metadataFields, request.body);
      return { unsafe_metadata: mergeMetadata(user.unsafe_metadata, unsafe_metadata) };
    });
  app.patch('/v1/me', replaceFields);
  app.post('/v1/me', sentAs('PATCH'), replaceFields);
  app.patch('/v1/me/metadata', mergeFields);
  app.post('/v1/me/metadata', sentAs('PATCH'), mergeFields);

  app.post('/v1/me/change_password', async (request) => {
    const { user, ...browser } = await signedInPerson(context, request);
    const { client, session, device, origin } = browser;
    const fields = readFields(passwordFields, request.body);
    const attempt = { email: user.email.toLowerCase(), password: fields.current_password, hash: user.password_hash };
    if (!(await tryPassword(context, { browser, ...attempt }))) throw refusals.passwordIncorrect();
    const hash = await hashPassword(fields.new_password, { email: user.email, cost: context.passwordCost });
    const changed = await commit(context, async (sql) => {
      // Another session may be an attacker's, so the others end unless the person declines.
      const endsOthers = fields.sign_out_of_other_sessions ?? true;
      if (endsOthers) await revokePendingTickets(sql, user.id);
      const row = await replacePassword(sql, user.id, user.password_hash!, hash);
      if (!row) throw refusals.passwordIncorrect();
      await emitEvent(sql, context, 'user.updated', backendUserShape(row), device);
      if (endsOthers) {
        await endOtherSessions(sql, context, user.id, session.id, device);
        // Each known device has its own attempt limit, and an attacker may have registered many devices.
        await forgetOtherDevices(sql, user.id, client.id);
      }
      if (fields.revoke_api_keys_and_tokens) await revokeCredentials(sql, user.id);
      return row;
    });
    return { response: userShape(changed), client: await describeClient(context, client, origin) };
  });

  app.get('/v1/me/sessions/active', async (request) => {
    const { user } = await signedInPerson(context, request);
    const living = { userId: user.id, status: 'active' };
    const sessions = await listSessions(context.sql, living, { limit: 100, offset: 0 });
    return sessions.map(sessionShape);
  });

  app.post('/v1/me/sessions/:id/revoke', { schema: byId }, async (request) => {
    const { user, client, device, origin } = await signedInPerson(context, request);
    const { id } = request.params;
    const session = isId(id) ? await findSession(context.sql, id) : undefined;
    if (!session || session.user_id !== user.id) throw refusals.notFound('session', id);
    const revoked = await endSession(context, id, 'revoked', device);
    if (!revoked) throw refusals.invalidAction(session.status);
    return { response: sessionShape(revoked), client: await describeClient(context, client, origin) };
  });
}

type SignedIn = SessionBrowser & { user: UserRow };

async function signedIn(context: ProviderContext, request: FastifyRequest): Promise<SignedIn> {
  const { client, ...browser } = await browserOf(context, request);
  const session = client && (await listClientSessions(context.sql, client.id))[0];
  const user = session && (await findUser(context.sql, session.user_id));
  if (!client || !session || !user) throw refusals.signedOut();
  return { ...browser, client, session, user };
}

/** As above, but never the demo account: its viewers share it and own neither credentials nor sessions. */
async function signedInPerson(context: ProviderContext, request: FastifyRequest): Promise<SignedIn> {
  const found = await signedIn(context, request);
  if (found.user.id === context.accounts.demoAccountId) throw refusals.demoAccount();
  return found;
}
