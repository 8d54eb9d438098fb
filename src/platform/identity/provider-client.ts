import type { z } from 'zod';
import { parseJson } from '../http/parse-json.ts';
import { readWithLimit } from '../http/read-with-limit.ts';
import {
  providerErrorBody,
  providerSession,
  type ProviderSession,
  providerUser,
  type ProviderUser,
  sessionPage,
  signInToken,
  type SignInToken,
} from './provider-shapes.ts';

const API_VERSION = '2026-05-12';
const TIMEOUT_MS = 5_000;
const MAX_BODY_BYTES = 1_048_576;

/**
 * Result of a call. `not_found` is a 404 with any JSON body. `conflict` is a rejection with the provider's code.
 * `unconfirmed` is everything else (no response, no JSON, a rejected key, too many requests), when the effect is
 * unknown.
 */
export type ProviderResult<T> = { traceId: string | null } & (
  | { ok: true; value: T }
  | { ok: false; reason: 'not_found' }
  | { ok: false; reason: 'conflict'; status: number; code: string }
  | {
      ok: false;
      reason: 'unconfirmed';
      detail: string;
      status: number | null;
      /** Code of the provider, or null if the response has none. */
      code: string | null;
      retryAfter: number | null;
    }
);

/** The hosted provider's Backend API, limited to the calls of this service. No call throws. Times are in ms. */
export interface ProviderClient {
  getUser(id: string): Promise<ProviderResult<ProviderUser>>;
  /**
   * Creates a sign-in token. Only this response contains the ticket. The caller computes the deadline from before the
   * call.
   */
  createSignInToken(userId: string, expiresInSeconds: number): Promise<ProviderResult<SignInToken & { token: string }>>;
  /**
   * Revokes a sign-in token. Returns `conflict` with `sign_in_token_cannot_be_revoked_code` if it is no longer pending.
   */
  revokeSignInToken(id: string): Promise<ProviderResult<SignInToken>>;
  getSession(id: string): Promise<ProviderResult<ProviderSession>>;
  /** Returns sessions, newest first. */
  listSessions(filter: {
    userId: string;
    status?: string;
    limit?: number;
    offset?: number;
  }): Promise<ProviderResult<{ data: ProviderSession[]; total_count: number }>>;
  revokeSession(id: string): Promise<ProviderResult<ProviderSession>>;
}

interface ProviderClientOptions {
  /** Base URL of the Backend API without `/v1`. */
  apiUrl: string;
  secretKey: string;
  /** Function that sends requests. The embedded provider is called within the process. */
  fetch?: typeof globalThis.fetch;
  timeoutMs?: number | undefined;
}

interface ProviderCall<T> {
  method: 'GET' | 'POST';
  path: string;
  shape: z.ZodType<T>;
  body?: object;
  /** Returns whether the response matches the request. A mismatch counts as no response. */
  matchesRequest: (value: T) => boolean;
}

export function createProviderClient(options: ProviderClientOptions): ProviderClient {
  const get = <T>(path: string, shape: z.ZodType<T>, matchesRequest: (value: T) => boolean) =>
    callProvider(options, { method: 'GET', path, shape, matchesRequest });
  const post = <T>(path: string, shape: z.ZodType<T>, matchesRequest: (value: T) => boolean, body?: object) =>
    callProvider(options, { method: 'POST', path, shape, matchesRequest, ...(body && { body }) });
  const encode = encodeURIComponent;
  const newTicket = signInToken as z.ZodType<SignInToken & { token: string }>;
  return {
    getUser: (id) => get(`/users/${encode(id)}`, providerUser, (user) => user.id === id),
    createSignInToken(userId, expiresInSeconds) {
      const matchesRequest = ({
        user_id,
        status,
        token,
      }: {
        user_id: string;
        status: string;
        token: unknown;
      }): boolean => user_id === userId && status === 'pending' && typeof token === 'string' && token !== '';
      return post('/sign_in_tokens', newTicket, matchesRequest, {
        user_id: userId,
        expires_in_seconds: expiresInSeconds,
      });
    },
    revokeSignInToken: (id) =>
      post(
        `/sign_in_tokens/${encode(id)}/revoke`,
        signInToken,
        (token) => token.id === id && token.status === 'revoked',
      ),
    getSession: (id) => get(`/sessions/${encode(id)}`, providerSession, (session) => session.id === id),
    listSessions({ userId, status, limit = 100, offset = 0 }) {
      const page = { user_id: userId, limit: String(limit), offset: String(offset), paginated: 'true' };
      const query = new URLSearchParams({ ...page, ...(status && { status }) });
      const matchesRequest = ({ data }: { data: ProviderSession[] }) =>
        data.every((session) => session.user_id === userId);
      return get(`/sessions?${query.toString()}`, sessionPage, matchesRequest);
    },
    revokeSession: (id) =>
      post(
        `/sessions/${encode(id)}/revoke`,
        providerSession,
        (session) => session.id === id && session.status === 'revoked',
      ),
  };
}

/** Sends one call. An idempotent GET is sent twice if the first response was not definite. */
async function callProvider<T>(options: ProviderClientOptions, request: ProviderCall<T>): Promise<ProviderResult<T>> {
  const firstResult = await sendRequest(options, request);
  const shouldRetry =
    request.method === 'GET' &&
    !firstResult.ok &&
    firstResult.reason === 'unconfirmed' &&
    (firstResult.status === null || firstResult.status >= 500);
  return shouldRetry ? sendRequest(options, request) : firstResult;
}

async function sendRequest<T>(options: ProviderClientOptions, request: ProviderCall<T>): Promise<ProviderResult<T>> {
  let status: number | null = null;
  try {
    const send = options.fetch ?? globalThis.fetch;
    const response = await send(`${options.apiUrl}/v1${request.path}`, {
      method: request.method,
      redirect: 'error',
      signal: AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS),
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${options.secretKey}`,
        'clerk-api-version': API_VERSION,
        'user-agent': 'tally',
        ...(request.body && { 'content-type': 'application/json' }),
      },
      ...(request.body && { body: JSON.stringify(request.body) }),
    });
    status = response.status;
    return classifyResponse(request, response, await readJson(response));
  } catch (error) {
    const unknownDetails = { code: null, retryAfter: null, traceId: null };
    return { ok: false, reason: 'unconfirmed', detail: describeError(error), status, ...unknownDetails };
  }
}

/** Returns the parsed body, or `undefined` if it is not JSON. Parameters of the media type are ignored. */
async function readJson(response: Response): Promise<unknown> {
  const text = (await readWithLimit(response, MAX_BODY_BYTES)).toString('utf8');
  if (response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() !== 'application/json')
    return undefined;
  return parseJson(text);
}

function classifyResponse<T>(request: ProviderCall<T>, response: Response, body: unknown): ProviderResult<T> {
  const { status } = response;
  const errors = providerErrorBody.safeParse(body);
  const code = errors.success ? errors.data.errors[0]!.code : undefined;
  const traceId = (errors.success ? errors.data.clerk_trace_id : null) ?? response.headers.get('x-clerk-trace-id');
  if (status === 200) {
    const parsed = request.shape.safeParse(body);
    if (parsed.success && request.matchesRequest(parsed.data)) return { ok: true, value: parsed.data, traceId };
  }
  if (status === 404 && body !== undefined) return { ok: false, reason: 'not_found', traceId };
  if ((status === 400 || status === 409 || status === 422) && code)
    return { ok: false, reason: 'conflict', status, code, traceId };
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const detail =
    status === 200 ? 'the response does not match the request' : `status ${status}${code ? ` ${code}` : ''}`;
  return {
    ok: false,
    reason: 'unconfirmed',
    detail,
    status,
    code: code ?? null,
    retryAfter: Number.isFinite(seconds) && seconds > 0 ? seconds : null,
    traceId,
  };
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer';
  const cause =
    error.cause instanceof Error ? ((error.cause as NodeJS.ErrnoException).code ?? error.cause.message) : undefined;
  return cause ? `${error.name}: ${cause}` : `${error.name}: ${error.message}`;
}
