import {
  decodeAttemptResponse,
  decodeClientResponse,
  type ClientResponse,
  decodeErrorsResponse,
  decodeTokenResponse,
} from './identity-responses.ts';
import { decode, type Decoder } from './decode.ts';

/** The signed-in member and session. `jwt` is the first session token, if the provider sent one. */
export interface SignedIn {
  userId: string;
  email: string;
  sessionId: string;
  jwt: string | null;
}

/** An error of the provider. `field` is the provider's name of the field, or null for the whole form. */
export interface IdentityProblem {
  code: string;
  message: string;
  field: string | null;
}

/** A sign-in after the password that waits for the second factor. */
export interface WaitingSignIn {
  id: string;
  hasRecoveryCodes: boolean;
}

/** A code of the authenticator app, or a recovery code. */
export interface SecondFactorCode {
  strategy: 'totp' | 'backup_code';
  code: string;
}

/**
 * `retryAfter` in seconds, if the provider sent a value. `waiting` is set if the password was right and the second
 * factor must follow.
 */
export type IdentityResult<T> =
  | { ok: true; value: T }
  | { ok: false; status: number; problems: IdentityProblem[]; retryAfter?: number; waiting?: WaitingSignIn };

/** The provider's Frontend API as the pages use it. A network failure returns `status: 0` and is never thrown. */
export interface IdentityClient {
  /** Returns the sign-in of this browser's client cookie, or null without one. */
  getCurrentSignIn(): Promise<IdentityResult<SignedIn | null>>;
  /** `invitation` is the code of an invitation, where a sign-up requires one. */
  signUp(form: {
    email: string;
    password: string;
    ref: string | null;
    invitation?: string | null;
  }): Promise<IdentityResult<SignedIn>>;
  signIn(form: { email: string; password: string }): Promise<IdentityResult<SignedIn>>;
  /** Finishes a sign-in by passkey. `id` is that of the sign-in, `credential` the JSON of the authenticator's response. */
  signInByPasskey(form: { id: string; credential: string }): Promise<IdentityResult<SignedIn>>;
  /** Completes a sign-in that waits for the second factor. */
  enterSecondFactor(signInId: string, code: SecondFactorCode): Promise<IdentityResult<SignedIn>>;
  /** Redeems a sign-in token, which works once. */
  redeemTicket(ticket: string): Promise<IdentityResult<SignedIn>>;
  /** Creates a session token: a JWT that is valid for one minute. 401 and 404 mean that the session has ended. */
  createToken(sessionId: string): Promise<IdentityResult<string>>;
  endSession(sessionId: string): Promise<IdentityResult<null>>;
}

const TIMEOUT_MS = 15_000;

const createFailure = (status: number, code: string, message: string): IdentityResult<never> => ({
  ok: false,
  status,
  problems: [{ code, message, field: null }],
});
const createUnexpectedResponse = () =>
  createFailure(502, 'unexpected_answer', 'Sign-in is not working right now. Try again in a minute.');

/**
 * Creates a client. `frontendApi` resolves to the provider's URL, with or without a path: `https://host` or
 * `https://host/_idp`.
 */
export function createIdentityClient(frontendApi: () => Promise<string>): IdentityClient {
  async function call<T>(
    method: 'GET' | 'POST',
    path: string,
    decoder: Decoder<T>,
    form?: Record<string, string>,
  ): Promise<IdentityResult<T>> {
    try {
      const base = (await frontendApi()).replace(/\/$/, '');
      const response = await fetch(`${base}/v1/client${path}`, {
        method,
        credentials: 'include',
        // A sign-out takes effect even if the page is closed at once.
        keepalive: method === 'POST',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(form && { body: new URLSearchParams(form) }),
      });
      const body: unknown = await response.json().catch(() => null);
      if (!response.ok) return toFailure(response, body);
      const value = decode(decoder, body);
      return value === undefined ? createUnexpectedResponse() : { ok: true, value };
    } catch {
      return createFailure(
        0,
        'unreachable',
        'Tally cannot be reached. Check your connection and try again. Your input is kept.',
      );
    }
  }

  async function submitAttempt(path: string, form: Record<string, string>): Promise<IdentityResult<SignedIn>> {
    const result = await call('POST', path, decodeAttemptResponse, form);
    if (!result.ok) return result;
    const { response, client } = result.value;
    const signedIn = client ? activeSession(client, response.created_session_id) : null;
    if (response.status === 'complete' && signedIn) return { ok: true, value: signedIn };
    const message = 'This account needs an extra sign-in step that is not supported here.';
    const problems = [{ code: response.status, message, field: null }];
    const factors = response.supported_second_factors?.map(({ strategy }) => strategy) ?? [];
    if (response.status !== 'needs_second_factor' || response.id === null || !factors.includes('totp'))
      return { ok: false, status: 422, problems };
    const waiting = { id: response.id, hasRecoveryCodes: factors.includes('backup_code') };
    return { ok: false, status: 422, problems, waiting };
  }

  return {
    async getCurrentSignIn() {
      const result = await call('GET', '', decodeClientResponse);
      if (!result.ok) return result;
      const client = result.value.response;
      return { ok: true, value: client && activeSession(client, client.last_active_session_id) };
    },
    signUp: ({ email, password, ref, invitation }) =>
      submitAttempt('/sign_ups', {
        email_address: email,
        password,
        ...(invitation && { strategy: 'ticket', ticket: invitation }),
        ...(ref !== null && { unsafe_metadata: JSON.stringify({ ref }) }),
      }),
    signIn: ({ email, password }) => submitAttempt('/sign_ins', { identifier: email, password }),
    signInByPasskey: ({ id, credential }) =>
      submitAttempt(`/sign_ins/${encodeURIComponent(id)}/attempt_first_factor`, {
        strategy: 'passkey',
        public_key_credential: credential,
      }),
    enterSecondFactor: (signInId, { strategy, code }) =>
      submitAttempt(`/sign_ins/${encodeURIComponent(signInId)}/attempt_second_factor`, { strategy, code }),
    redeemTicket: (ticket) => submitAttempt('/sign_ins', { strategy: 'ticket', ticket }),
    async createToken(sessionId) {
      const result = await call('POST', `/sessions/${encodeURIComponent(sessionId)}/tokens`, decodeTokenResponse, {});
      return result.ok ? { ok: true, value: result.value.jwt } : result;
    },
    endSession: (sessionId) => call('POST', `/sessions/${encodeURIComponent(sessionId)}/end`, () => null, {}),
  };
}

function activeSession(client: ClientResponse, preferredSessionId: string | null): SignedIn | null {
  const activeSessions = client.sessions.filter((session) => session.status === 'active');
  const session = activeSessions.find(({ id }) => id === preferredSessionId) ?? activeSessions[0];
  if (!session?.user) return null;
  const { user } = session;
  const email =
    user.email_addresses.find(({ id }) => id && id === user.primary_email_address_id) ?? user.email_addresses[0];
  return {
    userId: user.id,
    email: email?.email_address ?? '',
    sessionId: session.id,
    jwt: session.last_active_token?.jwt ?? null,
  };
}

function toFailure({ status, headers }: Response, body: unknown): IdentityResult<never> {
  const seconds = Number(headers.get('retry-after') ?? undefined);
  const retryFields = seconds > 0 && { retryAfter: seconds };
  const errors = decode(decodeErrorsResponse, body)?.errors ?? [];
  const unreadableMessage = `Sign-in is not working right now (status ${status}). Try again in a minute.`;
  if (errors.length === 0) return { ...createFailure(status, 'unexpected_answer', unreadableMessage), ...retryFields };
  const problems = errors.map(({ code, message, long_message, meta }) => ({
    code,
    message: long_message || message,
    field: meta?.param_name ?? null,
  }));
  return { ok: false, status, problems, ...retryFields };
}
