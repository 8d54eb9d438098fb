import type { CommercialApiKeyAuth, Snaptrade } from 'snaptrade-typescript-sdk';
import type { z } from 'zod';
import type { ClientSettings, FailedCall } from '../aggregator.ts';

type Api = Snaptrade<CommercialApiKeyAuth>;
type CallOptions = NonNullable<Parameters<Api['connections']['deleteConnection']>[1]>;

/** Failed call. `status` is absent without a response. */
export interface SnaptradeFailure extends FailedCall {
  status?: number;
}

interface SnaptradeResponse {
  status: number;
  data: unknown;
  headers: object;
}

export interface SnaptradeClient {
  /** Makes one call with a timeout of ten seconds and validates its response. */
  call<T>(
    schema: z.ZodType<T>,
    request: (api: Api, options: CallOptions) => Promise<SnaptradeResponse>,
  ): Promise<{ ok: true; data: T } | SnaptradeFailure>;
  /** Returns a `call` that `signal` also cancels. */
  withSignal(signal: AbortSignal): SnaptradeClient['call'];
}

const TIMEOUT_MS = 10_000;

/**
 * Creates a client on the aggregator's own library, which the first call loads. The library's errors contain members'
 * secrets, so failures are returned and no error leaves this file. Every status passes as a success, since the library
 * would sleep 35 s after a 429 and print a message.
 */
export function createSnaptradeClient({ clientId, secret, baseUrl, fetch }: ClientSettings): SnaptradeClient {
  const createApi = async (): Promise<Api> => {
    const { Snaptrade: Client, SnaptradeAuth } = await import('snaptrade-typescript-sdk');
    return new Client({
      auth: SnaptradeAuth.commercialApiKey({ clientId, consumerKey: secret }),
      basePath: baseUrl,
      baseOptions: {
        maxRedirects: 0,
        validateStatus: () => true,
        ...(fetch && { adapter: 'fetch', env: { fetch } }),
      },
    });
  };
  let apiPromise: Promise<Api> | undefined;
  const createCall =
    (callerSignal?: AbortSignal): SnaptradeClient['call'] =>
    async (schema, request) => {
      apiPromise ??= createApi();
      const api = await apiPromise;
      const timeout = AbortSignal.timeout(TIMEOUT_MS);
      const combinedSignal = callerSignal ? AbortSignal.any([callerSignal, timeout]) : timeout;
      let response: SnaptradeResponse;
      try {
        response = await request(api, { timeout: TIMEOUT_MS, signal: combinedSignal });
      } catch (error) {
        const { code } = error as { code?: unknown };
        const isTimeout = combinedSignal.aborted || code === 'ECONNABORTED' || code === 'ETIMEDOUT';
        return { ok: false, reason: 'unavailable', code: isTimeout ? 'TIMEOUT' : 'NO_ANSWER' };
      }
      const { status, data } = response;
      if (status < 200 || status > 299) return toFailure(response);
      const parsed = schema.safeParse(data);
      return parsed.success
        ? { ok: true, data: parsed.data }
        : { ok: false, reason: 'unavailable', status, code: 'UNEXPECTED_ANSWER' };
    };
  return { call: createCall(), withSignal: createCall };
}

const CODE = /^[A-Za-z0-9_]{1,40}$/;
/** Statuses that request a later retry, in addition to server errors. */
const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

function toFailure({ status, data, headers }: SnaptradeResponse): SnaptradeFailure {
  const errorBody = (data ?? {}) as { code?: unknown; default_code?: unknown };
  const errorCode = [errorBody.code, errorBody.default_code].find(
    (value) => typeof value === 'string' || typeof value === 'number',
  );
  const seconds = Number((headers as Record<string, unknown>)['retry-after']);
  const isRejected = status >= 400 && status < 500 && !RETRYABLE_STATUSES.has(status);
  return {
    ok: false,
    reason: isRejected ? 'rejected' : 'unavailable',
    status,
    code: CODE.test(String(errorCode ?? '')) ? String(errorCode) : `HTTP_${status}`,
    ...(seconds > 0 && { retryAfter: Math.min(seconds, 3_600) }),
  };
}

/** Returns true if the aggregator has no user with this id and secret. */
export const isUnknownUser = ({ status, code }: SnaptradeFailure): boolean =>
  status === 401 && (code === '0000' || code === '1083');
