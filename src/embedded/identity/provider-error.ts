/** An error with the status, code and wording of the hosted provider. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly status: number;
  readonly code: string;
  readonly longMessage: string;
  /** `retryAfter` is in seconds and is sent as `retry-after`. `reason` is for the log only. */
  readonly details: { readonly param?: string; readonly retryAfter?: number; readonly reason?: string };

  constructor(
    status: number,
    code: string,
    message: string,
    longMessage: string,
    details: ProviderError['details'] = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.longMessage = longMessage;
    this.details = details;
  }

  /** Returns the body that the client libraries of the hosted provider expect. */
  toBody(requestId: string): object {
    return {
      errors: [
        {
          message: this.message,
          long_message: this.longMessage,
          code: this.code,
          ...(this.details.param && { meta: { param_name: this.details.param } }),
        },
      ],
      clerk_trace_id: requestId,
    };
  }
}

/** Returns an error about one field of a form. */
const fieldError = (param: string, code: string, message: string, longMessage: string): ProviderError =>
  new ProviderError(422, `form_${code}`, message, longMessage, { param });

/** Returns an error about the ticket of a sign-in token. */
const ticketError = (code: string, message: string, longMessage: string): ProviderError =>
  new ProviderError(400, code, message, longMessage, { param: 'ticket' });

const toReason = (cause: unknown): string => (cause instanceof Error ? cause.message : 'unknown');

export const providerErrors = {
  keyInvalid: () =>
    new ProviderError(
      401,
      'clerk_key_invalid',
      'The provided secret key is invalid.',
      'Send the deployment\'s IDP_SECRET_KEY as "Authorization: Bearer <key>".',
    ),
  notFound: (
    resource: 'user' | 'session' | 'sign in token' | 'email address' | 'invitation' | 'passkey' | 'sign in',
    id: string,
  ) => new ProviderError(404, 'resource_not_found', 'not found', `No ${resource} was found with id ${id}`),
  missing: (param: string) => fieldError(param, 'param_missing', 'is missing', `${param} must be included.`),
  malformed: (param: string, reason: string) =>
    fieldError(param, 'param_format_invalid', 'is invalid', `${param} ${reason}`),
  unknownParam: (param: string) =>
    fieldError(param, 'param_unknown', 'is unknown', `${param} is not a valid parameter for this request.`),
  identifierExists: () =>
    fieldError(
      'email_address',
      'identifier_exists',
      'already exists',
      'That email address is taken. Please try another.',
    ),
  passwordTooShort: () =>
    fieldError('password', 'password_length_too_short', 'is too short', 'Passwords must be 8 characters or more.'),
  passwordTooLong: () =>
    fieldError('password', 'password_length_too_long', 'is too long', 'Passwords must be less than 256 characters.'),
  passwordCommon: () =>
    fieldError(
      'password',
      'password_pwned',
      'is too common',
      'This is one of the passwords that are guessed first. Please use a different password.',
    ),
  passwordRepeats: () =>
    fieldError(
      'password',
      'password_not_strong_enough',
      'is not strong enough',
      'This password is blank, or one character repeated. Choose another one.',
    ),
  passwordIsAddress: () =>
    fieldError(
      'password',
      'password_not_strong_enough',
      'is not strong enough',
      'This password is your e-mail address, or the part before the @. Choose another one.',
    ),
  /**
   * The error is equal for an unknown address and a wrong password, as the hosted provider's enumeration protection
   * requires.
   */
  credentialsIncorrect: () =>
    fieldError(
      'password',
      'password_or_identifier_incorrect',
      'is incorrect',
      'Email address or password is incorrect. Try again, or use another method.',
    ),
  passwordIncorrect: (param: 'current_password' | 'password' = 'current_password') =>
    fieldError(param, 'password_incorrect', 'is incorrect', 'Password is incorrect. Try again.'),
  codeIncorrect: () =>
    fieldError('code', 'code_incorrect', 'is incorrect', 'This code is incorrect. Try the next one.'),
  codesFailed: () =>
    new ProviderError(
      400,
      'verification_failed',
      'Too many wrong codes',
      'Too many wrong codes. Sign in again with your password.',
    ),
  totpExists: () =>
    new ProviderError(
      400,
      'totp_already_enabled',
      'Already on',
      'An authenticator app is set up already. Remove it first.',
    ),
  totpMissing: () =>
    new ProviderError(400, 'totp_not_enabled', 'Not on', 'No authenticator app is set up for this account.'),
  firstFactorMissing: () =>
    new ProviderError(
      400,
      'session_verification_missing',
      'Password is missing',
      'Enter your password first, then the code.',
    ),
  sessionExists: () =>
    new ProviderError(
      400,
      'session_exists',
      'Session already exists',
      "You're already signed in. Sign out first, or use a private window.",
    ),
  signedOut: () => new ProviderError(401, 'signed_out', 'Signed out', 'You are signed out'),
  sessionEnded: () =>
    new ProviderError(
      401,
      'authentication_invalid',
      'Invalid authentication',
      'Unable to authenticate the request, you need to supply an active session',
    ),
  invalidAction: (status: string) =>
    new ProviderError(
      400,
      'invalid_action_for_session',
      'Invalid action for user session',
      `This action cannot be performed on a session whose status is ${status}.`,
    ),
  ticketInvalid: () =>
    ticketError(
      'ticket_invalid_code',
      'ticket is invalid',
      'This ticket is invalid. Make sure you are using a valid ticket.',
    ),
  ticketRevoked: () =>
    ticketError(
      'sign_in_token_revoked_code',
      'sign in token has been revoked',
      'This sign in token has been revoked and cannot be used anymore.',
    ),
  ticketUsed: () =>
    ticketError(
      'sign_in_token_already_used_code',
      'sign in token has already been used',
      'This sign in token has already been used. Each token can only be used once.',
    ),
  ticketUnusable: () =>
    ticketError(
      'sign_in_token_cannot_be_used_code',
      'sign in token cannot be used',
      'This sign in token has expired and cannot be used anymore.',
    ),
  ticketNotRevocable: (status: string) =>
    new ProviderError(
      400,
      'sign_in_token_cannot_be_revoked_code',
      'cannot revoke',
      `Sign in token cannot be revoked because its status is ${status}. Only pending tokens can be revoked.`,
    ),
  signUpRestricted: (mode: 'invite' | 'closed') =>
    new ProviderError(
      403,
      'sign_up_mode_restricted',
      'Sign-up restricted',
      mode === 'closed' ? 'This site takes no new members.' : 'This site takes new members by invitation only.',
    ),
  invitationInvalid: () =>
    ticketError(
      'ticket_invalid_code',
      'invitation is invalid',
      'This invitation has expired, was used before, or was revoked. Ask the operator for a new one.',
    ),
  invitationNotPending: (status: string) =>
    new ProviderError(
      400,
      `invitation_already_${status}`,
      'not pending',
      `The invitation cannot be revoked because its status is ${status}.`,
    ),
  invitationForOther: () =>
    fieldError('email_address', 'param_value_invalid', 'is not invited', 'This invitation is for another email.'),
  linkInvalid: () =>
    new ProviderError(
      400,
      'verification_expired',
      'Link is not valid',
      'This link has expired, was used before, or was replaced. Request a new one.',
    ),
  noMail: () =>
    new ProviderError(
      400,
      'strategy_for_user_invalid',
      'No e-mail is sent',
      'This installation sends no e-mail. Ask its operator for a link.',
    ),
  reverificationRequired: () =>
    new ProviderError(
      403,
      'session_reverification_required',
      'Reverification required',
      'Enter your password again to make this change.',
    ),
  passkeysUnavailable: () =>
    new ProviderError(
      400,
      'passkey_invalid_rpID_or_domain',
      'Passkeys are not available',
      'Passkeys require a site with https and a domain. Sign in with your password.',
    ),
  passkeyLimit: (limit: number) =>
    new ProviderError(
      422,
      'passkey_quota_exceeded',
      'Too many passkeys',
      `An account has at most ${limit} passkeys. Remove one first.`,
    ),
  passkeyExists: () =>
    new ProviderError(422, 'passkey_already_exists', 'already exists', 'This passkey is registered already.'),
  passkeyChallengeExpired: () =>
    new ProviderError(
      400,
      'verification_expired',
      'Request has expired',
      'This request for a passkey has expired or was used before. Start again.',
    ),
  passkeyNotRegistered: (cause: unknown) =>
    new ProviderError(
      422,
      'passkey_registration_failed',
      'Passkey is invalid',
      'This passkey cannot be verified. Try again, or use another device.',
      { param: 'public_key_credential', reason: toReason(cause) },
    ),
  /** One error for an unknown passkey, a wrong signature and a count that went back. */
  passkeyRejected: (cause?: unknown) =>
    new ProviderError(
      422,
      'passkey_verification_failed',
      'Passkey is incorrect',
      'This passkey is unknown here or cannot be verified. Use another one, or your password.',
      { param: 'public_key_credential', ...(cause !== undefined && { reason: toReason(cause) }) },
    ),
  foreignOrigin: (message = 'The Origin header of a browser request must be this site itself.') =>
    new ProviderError(403, 'origin_invalid', 'Invalid origin', message),
  demoAccount: () =>
    new ProviderError(403, 'demo_account', 'Not for the demo account', 'The shared demo account may not do this.'),
  /** The code is that of the demo account, since visitors share both. */
  sampleUser: () => new ProviderError(403, 'demo_account', 'Not for the sample user', 'The sample user is read-only.'),
  tooManyRequests: (retryAfter: number) =>
    new ProviderError(429, 'too_many_requests', 'Too many requests', 'Too many requests. Please try again in a bit.', {
      retryAfter,
    }),
  busy: () =>
    new ProviderError(503, 'service_unavailable', 'Busy', 'Too many sign-ins at once. Please try again.', {
      retryAfter: 1,
    }),
};
