import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { toClientResponse } from './browser-client.ts';
import { createTotp, renewRecoveryCodes, turnTotpOff, turnTotpOn } from './change-second-factor.ts';
import type { ProviderContext } from './context.ts';
import { newId } from './ids.ts';
import { describeChangeLimit, limitChanges } from './limit-attempts.ts';
import { assertFresh, requireOwnAccount, type SignedIn } from './own-account.ts';
import { readFields } from './read-body.ts';
import { toTotpResponse } from './responses.ts';
import { codeField } from './verify-second-factor.ts';

const codeFields = z.strictObject({ code: codeField });
/** The browser library sends DELETE as POST with this parameter. */
const optionalMethod = { schema: { querystring: z.object({ _method: z.literal('DELETE').optional() }) } };

/** Adds the routes with which users change their second factor, within ten minutes after they entered a credential. */
export function addSecondFactorRoutes(app: HttpApp, context: ProviderContext): void {
  const changeLimit = describeChangeLimit(context, 'secondFactor');

  /** Makes a change for the signed-in user and returns its response with the client. */
  const change = async (
    request: FastifyRequest,
    makeChange: (signedIn: SignedIn) => Promise<object>,
  ): Promise<object> => {
    const signedIn = await requireOwnAccount(context, request);
    assertFresh(signedIn.session);
    await limitChanges(context, 'secondFactor', signedIn.user.id);
    const response = await makeChange(signedIn);
    return { response, client: await toClientResponse(context, signedIn.client, signedIn.origin) };
  };

  const turnOff = (request: FastifyRequest): Promise<object> =>
    change(request, async (signedIn) => {
      const { id } = await turnTotpOff(context, signedIn);
      return { object: 'totp', id, deleted: true };
    });
  app.delete('/v1/me/totp', changeLimit, turnOff);

  app.post('/v1/me/totp', { ...changeLimit, ...optionalMethod }, (request) => {
    if (request.query._method === 'DELETE') return turnOff(request);
    return change(request, async (signedIn) => {
      const { totp, ...secrets } = await createTotp(context, signedIn);
      return toTotpResponse(totp, secrets);
    });
  });

  app.post('/v1/me/totp/attempt_verification', changeLimit, (request) =>
    change(request, async (signedIn) => {
      const { code } = readFields(codeFields, request.body);
      const { totp, codes } = await turnTotpOn(context, signedIn, code);
      return toTotpResponse(totp, { backup_codes: codes });
    }),
  );

  // The browser library of the hosted provider ends the path with a slash.
  for (const path of ['/v1/me/backup_codes', '/v1/me/backup_codes/'])
    app.post(path, changeLimit, (request) =>
      change(request, async (signedIn) => {
        const codes = await renewRecoveryCodes(context, signedIn);
        const now = Date.now();
        return { object: 'backup_code', id: newId('bcode'), codes, created_at: now, updated_at: now };
      }),
    );
}
