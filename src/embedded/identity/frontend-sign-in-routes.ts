import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { HttpApp } from '../../platform/http/app-type.ts';
import type { StartedSession } from './start-session.ts';
import { readBrowser, readDevice, setClientCookie, toClientResponse } from './browser-client.ts';
import type { ProviderContext } from './context.ts';
import { newId } from './ids.ts';
import { limitAddress } from './limit-attempts.ts';
import { providerErrors } from './provider-error.ts';
import { emailField, metadataField, nameField, passwordField, readFields } from './read-body.ts';
import { requestPasswordReset } from './request-password-reset.ts';
import { resetPasswordByLink } from './reset-password.ts';
import { idParamsSchema } from './route-helpers.ts';
import { signInByPassword, signInByTicket } from './sign-in.ts';
import { signUp } from './sign-up.ts';

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
    .enum(['password', 'ticket', RESET_STRATEGY], { error: `must be one of: password, ticket, ${RESET_STRATEGY}.` })
    .optional(),
  identifier: z.string({ error: 'must be a string.' }).optional(),
  password: passwordField.optional(),
  ticket: z.string({ error: 'must be a string.' }).max(4_096).optional(),
  ...ignoredFields,
});

const resetFields = z.strictObject({
  code: z.string({ error: 'must be a string.' }).max(200),
  password: passwordField,
  sign_out_of_other_sessions: z.unknown().optional(),
});

/** Adds `POST /v1/client/sign_ups`, `/v1/client/sign_ins` and the reset of a forgotten password. */
export function addSignInRoutes(app: HttpApp, context: ProviderContext): void {
  const { signUpAddress, signInAddress } = context.limits;

  app.post('/v1/client/sign_ups', { onRequest: limitAddress(signUpAddress) }, async (request, reply) => {
    const { email_address, password, ticket, ...fields } = readFields(signUpFields, request.body);
    const { first_name, last_name, unsafe_metadata } = fields;
    const person = { email: email_address, password, first_name, last_name, unsafe_metadata };
    const startedSession = await signUp(context, person, await readBrowser(context, request), ticket);
    return sendSignInResponse(context, reply, startedSession, {
      object: 'sign_up_attempt',
      id: newId('sua'),
      status: 'complete',
      required_fields: ['email_address', 'password'],
      optional_fields: ['first_name', 'last_name'],
      missing_fields: [],
      unverified_fields: [],
      verifications: { email_address: null, phone_number: null, web3_wallet: null, external_account: null },
      username: null,
      email_address: startedSession.user.email,
      phone_number: null,
      web3_wallet: null,
      password_enabled: true,
      has_password: true,
      first_name: startedSession.user.first_name,
      last_name: startedSession.user.last_name,
      unsafe_metadata: startedSession.user.unsafe_metadata,
      public_metadata: {},
      custom_action: false,
      external_id: null,
      created_session_id: startedSession.session.id,
      created_user_id: startedSession.user.id,
      abandon_at: startedSession.session.expire_at,
      legal_accepted_at: null,
    });
  });

  app.post('/v1/client/sign_ins', { onRequest: limitAddress(signInAddress) }, async (request, reply) => {
    const fields = readFields(signInFields, request.body);
    const browser = await readBrowser(context, request);
    if (fields.strategy === RESET_STRATEGY) {
      if (fields.identifier === undefined) throw providerErrors.missing('identifier');
      await requestPasswordReset(context, readIdentifier(fields.identifier), browser);
      const response = { ...toSignInAttempt('needs_first_factor'), identifier: fields.identifier };
      return {
        response,
        client: browser.client ? await toClientResponse(context, browser.client, browser.origin) : null,
      };
    }
    const usesTicket = fields.strategy === 'ticket' || (fields.strategy === undefined && fields.ticket !== undefined);
    let startedSession: StartedSession;
    if (usesTicket) {
      if (fields.ticket === undefined) throw providerErrors.missing('ticket');
      startedSession = await signInByTicket(context, fields.ticket, browser);
    } else {
      if (fields.identifier === undefined) throw providerErrors.missing('identifier');
      if (fields.password === undefined) throw providerErrors.missing('password');
      const email = readIdentifier(fields.identifier);
      startedSession = await signInByPassword(context, email, fields.password, browser);
    }
    return sendSignInResponse(context, reply, startedSession, {
      ...toSignInAttempt('complete'),
      first_factor_verification: {
        status: 'verified',
        strategy: usesTicket ? 'ticket' : 'password',
        attempts: null,
        expire_at: null,
      },
      identifier: usesTicket ? null : fields.identifier,
      created_session_id: startedSession.session.id,
      abandon_at: startedSession.session.expire_at,
    });
  });

  // The hosted provider sends a code that the user types. Here a link contains it, with the id of the path.
  app.post(
    '/v1/client/sign_ins/:id/reset_password',
    { schema: idParamsSchema, onRequest: limitAddress(signInAddress) },
    async (request) => {
      const { code, password } = readFields(resetFields, request.body);
      const device = readDevice(request);
      const user = await resetPasswordByLink(context, { code: `${request.params.id}.${code}`, password, device });
      // No session starts: the new password is entered at the sign-in, with the second factor if there is one.
      return { response: { ...toSignInAttempt('needs_first_factor'), identifier: user.email }, client: null };
    },
  );
}

/** Returns the address of an identifier in lower case. Throws if it is none. */
function readIdentifier(identifier: string): string {
  const email = emailField.safeParse(identifier);
  if (!email.success) throw providerErrors.malformed('identifier', 'must be a valid email address.');
  return email.data;
}

/** Returns an attempt to sign in, without a session. */
const toSignInAttempt = (status: 'complete' | 'needs_first_factor') => ({
  object: 'sign_in_attempt',
  id: newId('sia'),
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

function sendSignInResponse(
  context: ProviderContext,
  reply: FastifyReply,
  startedSession: StartedSession,
  response: object,
): object {
  setClientCookie(context, reply, startedSession.secret);
  return { response, client: startedSession.client };
}
