import { ApiError } from '../../kit/api-error.ts';
import type { AnswerOf, ArgumentsOf, CodeOf, RefusalOf, RouteName } from './api-routes.ts';
import { IdentityUnreachable, type Session, SessionEnded } from '../session/session-state.ts';

/** The body that the route's contract gives a refusal of this code; undefined where `error` is anything else. */
export function refusedWith<Name extends RouteName, Code extends CodeOf<Name>>(
  _route: Name,
  code: Code,
  error: unknown,
): RefusalOf<Name, Code> | undefined {
  return error instanceof ApiError && error.code === code
    ? (error.body as unknown as RefusalOf<Name, Code>)
    : undefined;
}

const TIMEOUT_MS = 20_000;

/** Calls the service and reads its answer, which has been checked against the contract; throws each refusal. */
type CallApi = <Name extends RouteName>(name: Name, ...parts: ArgumentsOf<Name>) => Promise<AnswerOf<Name>>;

/** Answers with the response as it came, for what is not JSON or where a header matters; throws each refusal. */
type SendToApi = <Name extends RouteName>(
  name: Name,
  ...parts: ArgumentsOf<Name>
) => Promise<ApiResponse<AnswerOf<Name>>>;

export interface ApiResponse<Answer> extends Response {
  json(): Promise<Answer>;
}

/** Reads what `send` brings as JSON. */
export function createApi(sendToApi: SendToApi): CallApi {
  return async (name, ...parts) => {
    const response = await sendToApi(name, ...parts);
    const body = response.status === 204 ? undefined : await response.json().catch(() => null);
    if (body === null) throw refusal(response, body);
    return body as Awaited<ReturnType<typeof response.json>>;
  };
}

/** The parts of a call, of whatever route. */
interface Sent {
  params?: Readonly<Record<string, string>>;
  query?: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal | undefined;
  keepalive?: boolean;
  streams?: boolean;
}

/**
 * Calls of the service with the member's token. When the session turns out to have ended, the call waits until the
 * member has signed in again and is then sent once more: nothing that was typed is lost. `more` are headers of the
 * moment.
 */
export function createSend(
  session: Pick<Session, 'token' | 'recover'>,
  more: () => Record<string, string> = () => ({}),
): SendToApi {
  async function token(fresh: boolean): Promise<string> {
    try {
      return await session.token({ fresh });
    } catch (error) {
      if (error instanceof IdentityUnreachable) throw offline();
      if (!(error instanceof SessionEnded)) throw error;
      await session.recover();
      return session.token();
    }
  }

  return async (name, ...[parts]) => {
    const call = (parts ?? {}) as Sent;
    let response = await send(name, call, await token(false), more());
    if (response.status === 401) response = await send(name, call, await token(true), more());
    if (response.status === 401) {
      await session.recover();
      response = await send(name, call, await token(false), more());
    }
    if (!response.ok) throw refusal(response, await response.json().catch(() => null));
    return response;
  };
}

const offline = (): ApiError =>
  new ApiError(0, 'OFFLINE', 'Tally cannot be reached. Check your connection and try again.');

async function send(name: string, call: Sent, jwt: string, more: Record<string, string>): Promise<Response> {
  const [method = '', template = ''] = name.split(' ');
  const path = template.replace(/\{(\w+)\}/g, (_braced, key: string) => encodeURIComponent(call.params![key]!));
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return await fetch(call.query ? `${path}?${new URLSearchParams(call.query)}` : path, {
      method,
      headers: {
        ...more,
        authorization: `Bearer ${jwt}`,
        ...(call.body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
      ...(call.keepalive && { keepalive: true }),
      signal: call.signal ? (call.streams ? call.signal : AbortSignal.any([call.signal, timeout])) : timeout,
    });
  } catch (error) {
    if (call.signal?.aborted) throw error;
    if (timeout.aborted) throw new ApiError(0, 'TIMEOUT', 'Tally took too long to answer. Try again.');
    throw offline();
  }
}

function refusal(response: Response, body: unknown): ApiError {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const text = (name: string): string | null => (typeof fields[name] === 'string' ? fields[name] : null);
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  // The service's own sentence is for programs: it names a header.
  const message =
    response.status === 429 && retryAfter > 0
      ? `Too many requests in a short time. Try again in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}.`
      : text('message');
  return new ApiError(response.status, text('code') ?? 'INTERNAL', message ?? 'Something went wrong on our side.', {
    requestId: response.headers.get('x-request-id') ?? text('request_id'),
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : null,
    body: fields,
  });
}
