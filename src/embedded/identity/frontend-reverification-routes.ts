import { z } from 'zod';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { findOwnSession, toClientResponse, type SessionBrowser } from './browser-client.ts';
import type { ProviderContext } from './context.ts';
import { verifyCodeWithinLimits, verifyPasswordWithinLimits } from './limit-attempts.ts';
import { assertNotReserved } from './own-account.ts';
import { type AssertionCredential, assertionField } from './passkey-credentials.ts';
import { listCredentials } from './passkey-queries.ts';
import {
  countPasskeyAttempt,
  createAuthentication,
  recordPasskeyUse,
  toReverificationScope,
  verifyPasskey,
} from './passkeys.ts';
import { providerErrors } from './provider-error.ts';
import { passwordField, readFields } from './read-body.ts';
import { toClientSessionResponse, toPasskeyVerification, toSecondFactors, toVerification } from './responses.ts';
import { idParamsSchema } from './route-helpers.ts';
import type { UserRow } from './rows.ts';
import { markFirstFactor, markReauthenticated, markSecondFactor } from './session-queries.ts';
import { findUser, lockUser } from './user-queries.ts';
import { secondFactorFields, verifySecondFactor } from './verify-second-factor.ts';

const startFields = z.strictObject({ level: z.enum(['first_factor', 'second_factor', 'multi_factor']).optional() });
const preparationFields = z.strictObject({ strategy: z.literal('passkey', { error: 'must be passkey.' }) });
const attemptFields = z.discriminatedUnion(
  'strategy',
  [
    z.strictObject({ strategy: z.literal('password'), password: passwordField }),
    z.strictObject({ strategy: z.literal('passkey'), public_key_credential: assertionField }),
  ],
  { error: 'must be password or passkey.' },
);

/**
 * Adds the routes with which users prove again who they are before they change credentials: with a passkey, or with the
 * password and then the second factor if they have one.
 */
export function addReverificationRoutes(app: HttpApp, context: ProviderContext): void {
  /** Returns the browser and the user of its active session with this id. Throws if there is none. */
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
    return toResponse(context, browser, user);
  });

  app.post('/v1/client/sessions/:id/verify/prepare_first_factor', { schema: idParamsSchema }, async (request) => {
    const { browser, user } = await requireUser(request, request.params.id);
    readFields(preparationFields, request.body);
    await countPasskeyAttempt(context, user.id);
    const { session } = browser;
    const allowed = await listCredentials(context.sql, user.id);
    const options = { signedIn: { user, session }, allowed };
    const { nonce, expireAt } = await createAuthentication(context, toReverificationScope(session), options);
    return toResponse(context, browser, user, toPasskeyVerification('unverified', nonce, expireAt));
  });

  app.post('/v1/client/sessions/:id/verify/attempt_first_factor', { schema: idParamsSchema }, async (request) => {
    const { browser, user } = await requireUser(request, request.params.id);
    const fields = readFields(attemptFields, request.body);
    const session =
      fields.strategy === 'password'
        ? await confirmByPassword(browser, user, fields.password)
        : await confirmByPasskey(browser, user, fields.public_key_credential);
    if (!session) throw providerErrors.sessionEnded();
    return toResponse(context, { ...browser, session }, user, toVerification(fields.strategy));
  });

  /** Returns the session with the password confirmed, or undefined if it has ended. Throws for a wrong password. */
  async function confirmByPassword(browser: SessionBrowser, user: UserRow, password: string) {
    const attempt = { browser, email: user.email.toLowerCase(), password, hash: user.password_hash };
    if (!(await verifyPasswordWithinLimits(context, attempt))) throw providerErrors.passwordIncorrect('password');
    const mark = user.totp_enabled_at === null ? markReauthenticated : markFirstFactor;
    return mark(context.sql, browser.session.id);
  }

  /** Returns the session with both factors confirmed, or undefined if it has ended. Throws for a wrong passkey. */
  async function confirmByPasskey({ session }: SessionBrowser, user: UserRow, credential: AssertionCredential) {
    const passkey = await verifyPasskey(context, toReverificationScope(session), credential);
    if (passkey.userId !== user.id) throw providerErrors.passkeyRejected();
    return context.sql.transaction(async (sql) => {
      // The lock precedes the row of the passkey, as in a revocation.
      await lockUser(sql, user.id);
      await recordPasskeyUse(sql, passkey);
      return markReauthenticated(sql, session.id, true);
    });
  }

  app.post('/v1/client/sessions/:id/verify/attempt_second_factor', { schema: idParamsSchema }, async (request) => {
    const { browser, user } = await requireUser(request, request.params.id);
    const proof = readFields(secondFactorFields, request.body);
    const session = await verifyCodeWithinLimits(context, browser, user, () =>
      context.sql.transaction(async (sql) => {
        await lockUser(sql, user.id);
        if (!(await verifySecondFactor(sql, user.id, proof))) return undefined;
        const marked = await markSecondFactor(sql, browser.session.id);
        if (!marked) throw providerErrors.firstFactorMissing();
        return marked;
      }),
    );
    if (!session) throw providerErrors.codeIncorrect();
    const verification = toVerification('password');
    return toResponse(context, { ...browser, session }, user, verification, toVerification(proof.strategy));
  });
}

type Verification = { status: string; strategy: string } | null;

/** Returns what the user must prove next. A passkey replaces both factors. */
function getStatus(first: Verification, second: Verification, hasSecondFactor: boolean): string {
  if (first?.status !== 'verified') return 'needs_first_factor';
  return hasSecondFactor && first.strategy !== 'passkey' && !second ? 'needs_second_factor' : 'complete';
}

/** Returns the state of a reverification. `first` and `second` are the factors that the user has proven. */
async function toResponse(
  context: ProviderContext,
  { session, client, origin }: SessionBrowser,
  user: UserRow,
  first: Verification = null,
  second: Verification = null,
): Promise<object> {
  const canUsePasskey = context.passkeySite !== undefined && user.passkeys.length > 0;
  const secondFactors = toSecondFactors(user);
  return {
    response: {
      object: 'session_verification',
      status: getStatus(first, second, secondFactors !== null),
      level: secondFactors ? 'multi_factor' : 'first_factor',
      session: toClientSessionResponse({ session, user }),
      supported_first_factors: [
        ...(user.password_hash === null ? [] : [{ strategy: 'password' }]),
        ...(canUsePasskey ? [{ strategy: 'passkey' }] : []),
      ],
      supported_second_factors: secondFactors,
      first_factor_verification: first,
      second_factor_verification: second,
    },
    client: await toClientResponse(context, client, origin),
  };
}
