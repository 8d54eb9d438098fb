import { ApiError } from '../../kit/api-error.ts';
import type { RouteResponse, RouteArguments, RouteErrorCode, RouteErrorBody, RouteName } from './api-routes.ts';
import { IdentityUnavailableError, type Session, SessionEndedError } from '../session/session-state.ts';

/** Returns the error body that the route's contract defines for this code, or undefined for any other error. */
export function getApiErrorBody<Name extends RouteName, Code extends RouteErrorCode<Name>>(
  _route: Name,
  code: Code,
  error: unknown,
): RouteErrorBody<Name, Code> | undefined {
  return error instanceof ApiError && error.code === code
    ? (error.body as unknown as RouteErrorBody<Name, Code>)
    : undefined;
}

const TIMEOUT_MS = 20_000;

/** Calls the service and returns the response body, checked against the contract. Throws every error response. */
type CallApi = <Name extends RouteName>(name: Name, ...parts: RouteArguments<Name>) => Promise<RouteResponse<Name>>;

/** Returns the raw response, for bodies other than JSON or for headers. Throws every error response. */
type SendToApi = <Name extends RouteName>(
  name: Name,
  ...parts: RouteArguments<Name>
) => Promise<ApiResponse<RouteResponse<Name>>>;

export interface ApiResponse<Body> extends Response {
  json(): Promise<Body>;
}

/** Creates a call that reads the response of `sendToApi` as JSON. */
export function createApi(sendToApi: SendToApi): CallApi {
  return async (name, ...parts) => {
    const response = await sendToApi(name, ...parts);
    const body = response.status === 204 ? undefined : await response.json().catch(() => null);
    if (body === null) throw toApiError(response, body);
    return body as Awaited<ReturnType<typeof response.json>>;
  };
}

/** Parts of a call of any route. */
interface RequestOptions {
  params?: Readonly<Record<string, string>>;
  query?: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal | undefined;
  keepalive?: boolean;
  streams?: boolean;
}

/**
 * Creates a function that calls the service with the member's token. If the session has ended, the call waits for
 * reauthentication and is then repeated, so that no input is lost. A call that needs a recent sign-in asks for the
 * password by `requestReauthentication`. `getExtraHeaders` returns headers at the time of the call.
 */
export function createSend(
  session: Pick<Session, 'token' | 'waitForReauthentication'>,
  getExtraHeaders: () => Record<string, string> = () => ({}),
  requestReauthentication: () => Promise<boolean> = async () => false,
  isOffline: () => boolean = () => false,
): SendToApi {
  /** Returns a token. Without a network a read needs none: the worker answers it with what it kept. */
  async function fetchToken(forceRefresh: boolean, isRead = false): Promise<string | null> {
    try {
      return await session.token({ forceRefresh });
    } catch (error) {
      if (error instanceof IdentityUnavailableError && isRead && isOffline()) return null;
      if (error instanceof IdentityUnavailableError) throw createOfflineError();
      if (!(error instanceof SessionEndedError)) throw error;
      await session.waitForReauthentication();
      return session.token();
    }
  }

  return async (name, ...[givenOptions]) => {
    const requestOptions = (givenOptions ?? {}) as RequestOptions;
    const isRead = name.startsWith('GET ');
    let response = await send(name, requestOptions, await fetchToken(false, isRead), getExtraHeaders());
    if (response.status === 401) response = await send(name, requestOptions, await fetchToken(true), getExtraHeaders());
    if (response.status === 401) {
      await session.waitForReauthentication();
      response = await send(name, requestOptions, await fetchToken(false), getExtraHeaders());
    }
    if (response.ok) return response;
    const error = toApiError(response, await response.json().catch(() => null));
    if (error.code !== 'SESSION_REVERIFICATION_REQUIRED') throw error;
    if (!(await requestReauthentication()))
      throw new ApiError(error.status, error.code, 'Nothing has changed, since you did not enter your password.');
    response = await send(name, requestOptions, await fetchToken(true), getExtraHeaders());
    if (!response.ok) throw toApiError(response, await response.json().catch(() => null));
    return response;
  };
}

const createOfflineError = (): ApiError =>
  new ApiError(0, 'OFFLINE', 'Tally cannot be reached. Check your connection and try again.');

async function send(
  name: string,
  requestOptions: RequestOptions,
  jwt: string | null,
  extraHeaders: Record<string, string>,
): Promise<Response> {
  const [method = '', template = ''] = name.split(' ');
  const path = template.replace(/\{(\w+)\}/g, (_braced, key: string) =>
    encodeURIComponent(requestOptions.params![key]!),
  );
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return await fetch(requestOptions.query ? `${path}?${new URLSearchParams(requestOptions.query)}` : path, {
      method,
      headers: {
        ...extraHeaders,
        ...(jwt !== null && { authorization: `Bearer ${jwt}` }),
        ...(requestOptions.body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(requestOptions.body !== undefined && { body: JSON.stringify(requestOptions.body) }),
      ...(requestOptions.keepalive && { keepalive: true }),
      signal: combineSignals(requestOptions, timeout),
    });
  } catch (error) {
    if (requestOptions.signal?.aborted) throw error;
    if (timeout.aborted) throw new ApiError(0, 'TIMEOUT', 'Tally took too long to respond. Try again.');
    throw createOfflineError();
  }
}

function combineSignals({ signal, streams }: RequestOptions, timeout: AbortSignal): AbortSignal {
  if (!signal) return timeout;
  return streams ? signal : AbortSignal.any([signal, timeout]);
}

function toApiError(response: Response, body: unknown): ApiError {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const getText = (name: string): string | null => (typeof fields[name] === 'string' ? fields[name] : null);
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  // The service's own message is for API clients and names a header.
  const message =
    response.status === 429 && retryAfter > 0
      ? `Too many requests in a short time. Try again in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}.`
      : getText('message');
  return new ApiError(response.status, getText('code') ?? 'INTERNAL', message ?? 'Something went wrong on our side.', {
    requestId: response.headers.get('x-request-id') ?? getText('request_id'),
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : null,
    body: fields,
  });
}
