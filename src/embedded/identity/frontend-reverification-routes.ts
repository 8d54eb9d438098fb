import { z } from 'zod';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { findOwnSession, toClientResponse, type SessionBrowser } from './browser-client.ts';
import type { ProviderContext } from './context.ts';
import { verifyPasswordWithinLimits } from './limit-attempts.ts';
import { assertNotReserved } from './own-account.ts';
import { providerErrors } from './provider-error.ts';
import { passwordField, readFields } from './read-body.ts';
import { toClientSessionResponse } from './responses.ts';
import { idParamsSchema } from './route-helpers.ts';
import type { UserRow } from './rows.ts';
import { markReauthenticated } from './session-queries.ts';
import { findUser } from './user-queries.ts';

const startFields = z.strictObject({ level: z.literal('first_factor').optional() });
const attemptFields = z.strictObject({
  strategy: z.literal('password', { error: 'must be password.' }),
  password: passwordField,
});

/** Adds the routes with which the user enters the password again, before changes of credentials. */
export function addReverificationRoutes(app: HttpApp, context: ProviderContext): void {
  const requireUser = async (request: Parameters<typeof findOwnSession>[1], id: string) => {
    const browser = await findOwnSession(context, request, id);
    const user = await findUser(context.sql, browser.session.user_id);
    if (!user || browser.session.status !== 'active') throw providerErrors.sessionEnded();
    assertNotReserved(context, user.id);
    return { browser, user };
  };

  app.post('/v1/client/sessions/:id/verify', { schema: idParamsSchema }, async (request) => {
    const { browser, user } = await requireUser(request, request.params.id);
    readFields(startFields, request.body);
    return toResponse(context, browser, user, 'needs_first_factor');
  });

  app.post('/v1/client/sessions/:id/verify/attempt_first_factor', { schema: idParamsSchema }, async (request) => {
    const { browser, user } = await requireUser(request, request.params.id);
    const { password } = readFields(attemptFields, request.body);
    const attempt = { browser, email: user.email.toLowerCase(), password, hash: user.password_hash };
    if (!(await verifyPasswordWithinLimits(context, attempt))) throw providerErrors.passwordIncorrect('password');
    const session = await markReauthenticated(context.sql, browser.session.id);
    if (!session) throw providerErrors.sessionEnded();
    return toResponse(context, { ...browser, session }, user, 'complete');
  });
}

async function toResponse(
  context: ProviderContext,
  { session, client, origin }: SessionBrowser,
  user: UserRow,
  status: 'needs_first_factor' | 'complete',
): Promise<object> {
  return {
    response: {
      object: 'session_verification',
      status,
      level: 'first_factor',
      session: toClientSessionResponse({ session, user }),
      supported_first_factors: user.password_hash === null ? [] : [{ strategy: 'password' }],
      supported_second_factors: null,
      first_factor_verification:
        status === 'complete' ? { status: 'verified', strategy: 'password', attempts: null, expire_at: null } : null,
      second_factor_verification: null,
    },
    client: await toClientResponse(context, client, origin),
  };
}
