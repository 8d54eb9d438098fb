import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { toClientResponse } from './browser-client.ts';
import type { ProviderContext } from './context.ts';
import { newId } from './ids.ts';
import { assertFresh, requireOwnAccount, type SignedIn } from './own-account.ts';
import { registrationField } from './passkey-credentials.ts';
import {
  countPasskeyAttempt,
  createRegistration,
  registerPasskey,
  removePasskey,
  renameOwnPasskey,
  toRegistrationScope,
} from './passkeys.ts';
import { readFields } from './read-body.ts';
import { getDeviceName, toPasskey, toPasskeyVerification } from './responses.ts';
import { idParamsSchema } from './route-helpers.ts';

const attemptFields = z.strictObject({
  strategy: z.literal('passkey', { error: 'must be passkey.' }),
  public_key_credential: registrationField,
});
const nameFields = z.strictObject({
  name: z
    .string({ error: 'must be a string.' })
    .trim()
    .min(1, { error: 'must not be empty.' })
    .max(50, { error: 'must be at most 50 characters.' }),
});
/** The browser library sends PATCH and DELETE as POST with this parameter. */
const overrideSchema = { ...idParamsSchema, querystring: z.object({ _method: z.enum(['PATCH', 'DELETE']) }) };

/** Adds the routes with which a user adds, renames and removes passkeys. `GET /v1/me` lists them. */
export function addPasskeyRoutes(app: HttpApp, context: ProviderContext): void {
  const withClient = async ({ client, origin }: SignedIn, response: object): Promise<object> => ({
    response,
    client: await toClientResponse(context, client, origin),
  });

  app.post('/v1/me/passkeys', async (request) => {
    const signedIn = await requireOwnAccount(context, request);
    const { user, session, device } = signedIn;
    assertFresh(session);
    await countPasskeyAttempt(context, user.id);
    const id = newId('pkey');
    const { nonce, expireAt } = await createRegistration(context, signedIn, toRegistrationScope(id, session));
    const now = Date.now();
    const passkey = { id, name: getDeviceName(device.userAgent), created_at: now, updated_at: now, last_used_at: null };
    return withClient(signedIn, toPasskey(passkey, toPasskeyVerification('unverified', nonce, expireAt)));
  });

  app.post('/v1/me/passkeys/:id/attempt_verification', { schema: idParamsSchema }, async (request) => {
    const signedIn = await requireOwnAccount(context, request);
    const { user, session, device } = signedIn;
    await countPasskeyAttempt(context, user.id);
    const { public_key_credential: credential } = readFields(attemptFields, request.body);
    const passkey = await registerPasskey(context, signedIn, {
      scope: toRegistrationScope(request.params.id, session),
      credential,
      name: getDeviceName(device.userAgent),
    });
    return withClient(signedIn, toPasskey(passkey));
  });

  const rename = async (request: FastifyRequest, id: string): Promise<object> => {
    const signedIn = await requireOwnAccount(context, request);
    const { name } = readFields(nameFields, request.body);
    return withClient(signedIn, toPasskey(await renameOwnPasskey(context, signedIn, { id, name })));
  };
  const remove = async (request: FastifyRequest, id: string): Promise<object> => {
    const signedIn = await requireOwnAccount(context, request);
    assertFresh(signedIn.session);
    await removePasskey(context, signedIn, id);
    return withClient(signedIn, { id, object: 'passkey', deleted: true });
  };
  app.patch('/v1/me/passkeys/:id', { schema: idParamsSchema }, (request) => rename(request, request.params.id));
  app.delete('/v1/me/passkeys/:id', { schema: idParamsSchema }, (request) => remove(request, request.params.id));
  app.post('/v1/me/passkeys/:id', { schema: overrideSchema }, (request) =>
    (request.query._method === 'PATCH' ? rename : remove)(request, request.params.id),
  );
}
