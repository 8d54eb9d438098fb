import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { HttpApp } from '../../platform/http/app-type.ts';
import type { StartedSession } from './start-session.ts';
import {
  assertSignedOut,
  type Browser,
  ensureSignInBrowser,
  readBrowser,
  readSignInBrowser,
  setClientCookie,
  toClientResponse,
} from './browser-client.ts';
import type { ProviderContext } from './context.ts';
import { newId } from './ids.ts';
import { limitAddress } from './limit-attempts.ts';
import { assertionField } from './passkey-credentials.ts';
import { requirePasskeySite } from './passkey-site.ts';
import { CHALLENGE_SECONDS, createAuthentication, toSignInScope } from './passkeys.ts';
import { providerErrors } from './provider-error.ts';
import { emailField, isId, metadataField, nameField, passwordField, readFields } from './read-body.ts';
import { completeSecondFactor, type PendingSignIn } from './pending-sign-in.ts';
import { requestPasswordReset } from './request-password-reset.ts';
import { acceptResetCode, resetPasswordInSignIn } from './reset-password.ts';
import { toPasskeyVerification, toSecondFactors, toVerification } from './responses.ts';
import { idParamsSchema } from './route-helpers.ts';
import type { UserRow } from './rows.ts';
import { signInByPasskey, signInByPassword, signInByTicket } from './sign-in.ts';
import { signUp } from './sign-up.ts';
import { secondFactorFields } from './verify-second-factor.ts';

/** Fields that the browser library sends and this provider ignores. */
const ignoredFields = {
  locale: z.string().optional(),
  captcha_token: z.string().optional(),
  captcha_widget_type: z.string().optional(),
  captcha_error: z.string().optional(),
  legal_accepted: z.unknown().optional(),
  redirect_url: z.string().optional(),
};

const signUpFields = z.strictObject({
  email_address: emailField,
  password: passwordField,
  first_name: nameField.optional(),
  last_name: nameField.optional(),
  unsafe_metadata: metadataField.optional(),
  strategy: z.string().optional(),
  ticket: z.string({ error: 'must be a string.' }).max(200).optional(),
  ...ignoredFields,
});

const RESET_STRATEGY = 'reset_password_email_code';

const signInFields = z.strictObject({
  strategy: z
    .enum(['password', 'ticket', 'passkey', RESET_STRATEGY], {
      error: `must be one of: password, ticket, passkey, ${RESET_STRATEGY}.`,
    })
    .optional(),
  identifier: z.string({ error: 'must be a string.' }).optional(),
  password: passwordField.optional(),
  ticket: z.string({ error: 'must be a string.' }).max(4_096).optional(),
  ...ignoredFields,
});

const attemptFields = z.discriminatedUnion(
  'strategy',
  [
    z.strictObject({
      strategy: z.literal(RESET_STRATEGY),
      code: z.string({ error: 'must be a string.' }).max(200),
    }),
    z.strictObject({ strategy: z.literal('passkey'), public_key_credential: assertionField }),
  ],
  { error: `must be ${RESET_STRATEGY} or passkey.` },
);

const resetFields = z.strictObject({
  password: passwordField,
  sign_out_of_other_sessions: z.unknown().optional(),
});

type SignInFields = z.infer<typeof signInFields>;

/** Adds the routes of sign-up, sign-in and the reset of a forgotten password below `/v1/client`. */
export function addSignInRoutes(app: HttpApp, context: ProviderContext): void {
  const { signUpAddress, signUpAddressDay, signInAddress, signInAddressDay } = context.limits;
  const signInLimit = limitAddress(signInAddress, signInAddressDay);

  app.post('/v1/client/sign_ups', limitAddress(signUpAddress, signUpAddressDay), async (request, reply) => {
    const { email_address, password, ticket, ...fields } = readFields(signUpFields, request.body);
    const { first_name, last_name, unsafe_metadata } = fields;
    const person = { email: email_address, password, first_name, last_name, unsafe_metadata };
    const startedSession = await signUp(context, person, await readBrowser(context, request), ticket);
    return toSignedInResponse(context, reply, startedSession, toSignUpAttempt(startedSession));
  });

  app.post('/v1/client/sign_ins', signInLimit, async (request, reply) => {
    const fields = readFields(signInFields, request.body);
    const browser = await readBrowser(context, request);
    switch (fields.strategy ?? (fields.ticket === undefined ? 'password' : 'ticket')) {
      case RESET_STRATEGY:
        return startPasswordReset(fields, browser);
      case 'passkey':
        return startPasskeySignIn(request, reply, browser);
      case 'ticket': {
        if (fields.ticket === undefined) throw providerErrors.missing('ticket');
        const startedSession = await signInByTicket(context, fields.ticket, browser);
        return toSignInResponse(context, reply, startedSession, {
          first_factor_verification: toVerification('ticket'),
        });
      }
      case 'password': {
        if (fields.identifier === undefined) throw providerErrors.missing('identifier');
        if (fields.password === undefined) throw providerErrors.missing('password');
        const result = await signInByPassword(context, readIdentifier(fields.identifier), fields.password, browser);
        return toSignInResponse(context, reply, result, {
          first_factor_verification: toVerification('password'),
          identifier: fields.identifier,
        });
      }
    }
  });

  async function startPasswordReset({ identifier }: SignInFields, browser: Browser): Promise<object> {
    if (identifier === undefined) throw providerErrors.missing('identifier');
    await requestPasswordReset(context, readIdentifier(identifier), browser);
    return toUnfinishedResponse(context, browser, { ...toSignInAttempt('needs_first_factor'), identifier });
  }

  async function startPasskeySignIn(request: FastifyRequest, reply: FastifyReply, browser: Browser): Promise<object> {
    requirePasskeySite(context);
    await assertSignedOut(context, browser);
    const attempt = toSignInAttempt('needs_first_factor');
    const browserHash = ensureSignInBrowser(context, request, reply, CHALLENGE_SECONDS);
    const { nonce, expireAt } = await createAuthentication(context, toSignInScope(attempt.id, browserHash));
    return toUnfinishedResponse(context, browser, {
      ...attempt,
      supported_first_factors: [{ strategy: 'passkey' }],
      first_factor_verification: toPasskeyVerification('unverified', nonce, expireAt),
      abandon_at: expireAt,
    });
  }

  // A reset link may be opened in a browser that started no sign-in, so the browser chooses the id.
  app.post(
    '/v1/client/sign_ins/:id/attempt_first_factor',
    { schema: idParamsSchema, ...signInLimit },
    async (request, reply) => {
      const fields = readFields(attemptFields, request.body);
      const browser = await readBrowser(context, request);
      const signInId = readSignInId(request.params.id);
      if (fields.strategy === 'passkey') {
        const browserHash = readSignInBrowser(request);
        if (!browserHash) throw providerErrors.passkeyChallengeExpired();
        const attempt = { id: signInId, browserHash, credential: fields.public_key_credential };
        const startedSession = await signInByPasskey(context, attempt, browser);
        return toSignedInResponse(context, reply, startedSession, {
          ...toSignInAttempt('complete', signInId),
          first_factor_verification: toPasskeyVerification('verified'),
          created_session_id: startedSession.session.id,
          abandon_at: startedSession.session.expire_at,
        });
      }
      const { code } = fields;
      const { client, secret } = await acceptResetCode(context, { signInId, code, browser });
      if (secret !== undefined) setClientCookie(context, reply, secret);
      const first_factor_verification = { status: 'verified', strategy: RESET_STRATEGY, attempts: 1, expire_at: null };
      const response = { ...toSignInAttempt('needs_new_password', signInId), first_factor_verification };
      return toUnfinishedResponse(context, { client, origin: browser.origin }, response);
    },
  );

  app.post(
    '/v1/client/sign_ins/:id/reset_password',
    { schema: idParamsSchema, ...signInLimit },
    async (request, reply) => {
      const { password } = readFields(resetFields, request.body);
      const browser = await readBrowser(context, request);
      const signInId = readSignInId(request.params.id);
      const result = await resetPasswordInSignIn(context, { signInId, password, browser });
      return toSignInResponse(context, reply, result, { id: signInId });
    },
  );

  app.post(
    '/v1/client/sign_ins/:id/attempt_second_factor',
    { schema: idParamsSchema, ...signInLimit },
    async (request, reply) => {
      const proof = readFields(secondFactorFields, request.body);
      const { id } = request.params;
      const browser = await readBrowser(context, request);
      const startedSession = await completeSecondFactor(context, { id, proof, browser });
      return toSignInResponse(context, reply, startedSession, {
        id,
        second_factor_verification: toVerification(proof.strategy),
      });
    },
  );
}

/**
 * Returns the response of a sign-in that has no session yet. The browser library reads the sign-in from `client`, which
 * is null if the browser has no client.
 */
async function toUnfinishedResponse(
  context: ProviderContext,
  { client, origin }: Pick<Browser, 'client' | 'origin'>,
  response: object,
): Promise<object> {
  if (!client) return { response, client: null };
  return { response, client: { ...(await toClientResponse(context, client, origin)), sign_in: response } };
}

/** Returns the id of a sign-in in a path. Throws if it is malformed. */
function readSignInId(id: string): string {
  if (!isId(id)) throw providerErrors.linkInvalid();
  return id;
}

/** Returns an identifier as an email address in lower case. Throws if it is no email address. */
function readIdentifier(identifier: string): string {
  const email = emailField.safeParse(identifier);
  if (!email.success) throw providerErrors.malformed('identifier', 'must be a valid email address.');
  return email.data;
}

/** Returns a completed sign-up as the browser library reads it. */
const toSignUpAttempt = ({ user, session }: StartedSession & { user: UserRow }) => ({
  object: 'sign_up_attempt',
  id: newId('sua'),
  status: 'complete',
  required_fields: ['email_address', 'password'],
  optional_fields: ['first_name', 'last_name'],
  missing_fields: [],
  unverified_fields: [],
  verifications: { email_address: null, phone_number: null, web3_wallet: null, external_account: null },
  username: null,
  email_address: user.email,
  phone_number: null,
  web3_wallet: null,
  password_enabled: true,
  has_password: true,
  first_name: user.first_name,
  last_name: user.last_name,
  unsafe_metadata: user.unsafe_metadata,
  public_metadata: {},
  custom_action: false,
  external_id: null,
  created_session_id: session.id,
  created_user_id: user.id,
  abandon_at: session.expire_at,
  legal_accepted_at: null,
});

/** Returns a sign-in as the browser library reads it, without factors and session, which callers add. */
const toSignInAttempt = (
  status: 'complete' | 'needs_first_factor' | 'needs_second_factor' | 'needs_new_password',
  id: string = newId('sia'),
) => ({
  object: 'sign_in_attempt',
  id,
  status,
  supported_identifiers: ['email_address'],
  supported_first_factors: [],
  supported_second_factors: null,
  first_factor_verification: null,
  second_factor_verification: null,
  identifier: null,
  user_data: null,
  created_session_id: null,
  abandon_at: null,
});

/**
 * Returns the response of a sign-in that is complete or waits for the second factor, and sets the client cookie.
 * `attempt` has the fields in which the sign-in differs from `toSignInAttempt`.
 */
function toSignInResponse(
  context: ProviderContext,
  reply: FastifyReply,
  result: StartedSession | PendingSignIn,
  attempt: object,
): object {
  if ('session' in result)
    return toSignedInResponse(context, reply, result, {
      ...toSignInAttempt('complete'),
      ...attempt,
      created_session_id: result.session.id,
      abandon_at: result.session.expire_at,
    });
  const { pending, user, secret, client } = result;
  const response = {
    ...toSignInAttempt('needs_second_factor'),
    ...attempt,
    id: pending.id,
    supported_second_factors: toSecondFactors(user),
    abandon_at: pending.expires_at,
  };
  setClientCookie(context, reply, secret);
  // The browser library reads the sign-in from the client.
  return { response, client: { ...client, sign_in: response } };
}

/** Returns the response of a sign-up or sign-in that started a session, and sets the client cookie. */
function toSignedInResponse(
  context: ProviderContext,
  reply: FastifyReply,
  startedSession: StartedSession,
  response: object,
): object {
  setClientCookie(context, reply, startedSession.secret);
  return { response, client: startedSession.client };
}
