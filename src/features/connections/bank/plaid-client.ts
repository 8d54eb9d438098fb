import type { PlaidApi } from 'plaid';
import type { ClientSettings, FailedCall } from '../aggregator.ts';

type Method = {
  [Name in keyof PlaidApi]: PlaidApi[Name] extends (request: never, options?: never) => Promise<{ data: unknown }>
    ? Name
    : never;
}[keyof PlaidApi];
type Request<Name extends Method> = Parameters<PlaidApi[Name]>[0];
type PlaidResponse<Name extends Method> = Awaited<ReturnType<PlaidApi[Name]>>['data'];
type PlaidCall<Name extends Method> = (request: unknown, options: object) => Promise<{ data: PlaidResponse<Name> }>;

export interface PlaidClient {
  call<Name extends Method>(
    name: Name,
    request: Request<Name>,
    timeoutMs?: number,
  ): Promise<{ ok: true; data: PlaidResponse<Name> } | FailedCall>;
}

const TIMEOUT_MS = 10_000;

/**
 * The aggregator's own library, loaded by the first call. Its errors hold keys and tokens, so none leaves this file:
 * what happened is returned. Each call ends by its timeout, of which the library has none.
 */
export function createPlaidClient({ clientId, secret, baseUrl, fetch }: ClientSettings): PlaidClient {
  const createApi = async (): Promise<PlaidApi> => {
    const { Configuration, PlaidApi: Api } = await import('plaid');
    return new Api(
      new Configuration({
        basePath: baseUrl,
        baseOptions: {
          headers: { 'PLAID-CLIENT-ID': clientId, 'PLAID-SECRET': secret },
          maxRedirects: 0,
          ...(fetch && { adapter: 'fetch', env: { fetch } }),
        },
      }),
    );
  };
  let apiPromise: Promise<PlaidApi> | undefined;
  return {
    async call(name, request, timeoutMs = TIMEOUT_MS) {
      const api = await (apiPromise ??= createApi());
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        // The library's overloads are one shape: a request, then options.
        const callMethod = api[name].bind(api) as unknown as PlaidCall<typeof name>;
        const { data } = await callMethod(request, { timeout: timeoutMs, signal });
        // Every answer of the aggregator has one; what has none is a proxy's page, or was cut off.
        if (typeof (data as { request_id?: unknown }).request_id === 'string') return { ok: true, data };
        return { ok: false, reason: 'unavailable', code: 'BAD_ANSWER' };
      } catch (error) {
        return toFailedCall(error, signal.aborted);
      }
    },
  };
}

const CODE = /^[A-Z][A-Z0-9_]{1,79}$/;

/** What may be known of an error outside: never the error itself, which repeats the request. */
function toFailedCall(error: unknown, isAborted: boolean): FailedCall {
  const { response, code } = error as {
    response?: { status: number; data?: { error_code?: unknown }; headers?: Record<string, unknown> };
    code?: unknown;
  };
  if (!response) {
    const isTimedOut = isAborted || code === 'ECONNABORTED' || code === 'ETIMEDOUT';
    return { ok: false, reason: 'unavailable', code: isTimedOut ? 'TIMEOUT' : 'NO_ANSWER' };
  }
  const { status, data, headers } = response;
  const errorCode = data?.error_code;
  const isRetryable = status >= 500 || status === 429 || typeof errorCode !== 'string';
  const seconds = Number(headers?.['retry-after']);
  return {
    ok: false,
    reason: isRetryable ? 'unavailable' : 'refused',
    code: typeof errorCode === 'string' && CODE.test(errorCode) ? errorCode : `HTTP_${status}`,
    ...(seconds > 0 && { retryAfter: Math.min(seconds, 3_600) }),
  };
}
