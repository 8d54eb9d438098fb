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
 * Creates a client on the aggregator's own library, which the first call loads. The library's errors contain keys and
 * tokens, so failures are returned and no error leaves this file. Each call has a timeout, which the library lacks.
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
      apiPromise ??= createApi();
      const api = await apiPromise;
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        // All overloads of the library accept a request and options.
        const callMethod = api[name].bind(api) as unknown as PlaidCall<typeof name>;
        const { data } = await callMethod(request, { timeout: timeoutMs, signal });
        // Every response of the aggregator has a request id. Without one the response is a proxy's page or truncated.
        if (typeof (data as { request_id?: unknown }).request_id === 'string') return { ok: true, data };
        return { ok: false, reason: 'unavailable', code: 'BAD_ANSWER' };
      } catch (error) {
        return toFailedCall(error, signal.aborted);
      }
    },
  };
}

const CODE = /^[A-Z][A-Z0-9_]{1,79}$/;

/** Returns the public part of an error. The error itself contains the request. */
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
    reason: isRetryable ? 'unavailable' : 'rejected',
    code: typeof errorCode === 'string' && CODE.test(errorCode) ? errorCode : `HTTP_${status}`,
    ...(seconds > 0 && { retryAfter: Math.min(seconds, 3_600) }),
  };
}
