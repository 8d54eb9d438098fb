import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { HttpApp } from '../../platform/http/app-type.ts';
import type { StartedSession } from './start-session.ts';
import { readBrowser, setClientCookie } from './browser-client.ts';
import type { ProviderContext } from './context.ts';
import { newId } from './ids.ts';
import { limitAddress } from './limit-attempts.ts';
import { providerErrors } from './provider-error.ts';
import { emailField, metadataField, nameField, passwordField, readFields } from './read-body.ts';
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
  ...ignoredFields,
});

const signInFields = z.strictObject({
  strategy: z.enum(['password', 'ticket'], { error: 'must be one of: password, ticket.' }).optional(),
  identifier: z.string({ error: 'must be a string.' }).optional(),
  password: passwordField.optional(),
  ticket: z.string({ error: 'must be a string.' }).max(4_096).optional(),
  ...ignoredFields,
});

/** Adds `POST /v1/client/sign_ups` and `/v1/client/sign_ins`. */
export function addSignInRoutes(app: HttpApp, context: ProviderContext): void {
  const { signUpAddress, signInAddress } = context.limits;

  app.post('/v1/client/sign_ups', { onRequest: limitAddress(signUpAddress) }, async (request, reply) => {
    const { email_address, password, first_name, last_name, unsafe_metadata } = readFields(signUpFields, request.body);
    const person = { email: email_address, password, first_name, last_name, unsafe_metadata };
    const startedSession = await signUp(context, person, await readBrowser(context, request));
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
    const usesTicket = fields.strategy === 'ticket' || (fields.strategy === undefined && fields.ticket !== undefined);
    let startedSession: StartedSession;
    if (usesTicket) {
      if (fields.ticket === undefined) throw providerErrors.missing('ticket');
      startedSession = await signInByTicket(context, fields.ticket, browser);
    } else {
      if (fields.identifier === undefined) throw providerErrors.missing('identifier');
      if (fields.password === undefined) throw providerErrors.missing('password');
      const identifier = emailField.safeParse(fields.identifier);
      if (!identifier.success) throw providerErrors.malformed('identifier', 'must be a valid email address.');
      startedSession = await signInByPassword(context, identifier.data, fields.password, browser);
    }
    return sendSignInResponse(context, reply, startedSession, {
      object: 'sign_in_attempt',
      id: newId('sia'),
      status: 'complete',
      supported_identifiers: ['email_address'],
      supported_first_factors: [],
      supported_second_factors: null,
      first_factor_verification: {
        status: 'verified',
        strategy: usesTicket ? 'ticket' : 'password',
        attempts: null,
        expire_at: null,
      },
      second_factor_verification: null,
      identifier: usesTicket ? null : fields.identifier,
      user_data: null,
      created_session_id: startedSession.session.id,
      abandon_at: startedSession.session.expire_at,
    });
  });
}

function sendSignInResponse(
  context: ProviderContext,
  reply: FastifyReply,
  startedSession: StartedSession,
  response: object,
): object {
  setClientCookie(context, reply, startedSession.secret);
  return { response, client: startedSession.client };
}
