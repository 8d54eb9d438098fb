import type { CommercialApiKeyAuth, Snaptrade } from 'snaptrade-typescript-sdk';
import type { z } from 'zod';
import type { ClientSettings, FailedCall } from '../aggregator.ts';

type Api = Snaptrade<CommercialApiKeyAuth>;
type CallOptions = NonNullable<Parameters<Api['connections']['deleteConnection']>[1]>;

/** `status` is absent without any answer. */
export interface SnaptradeFailure extends FailedCall {
  status?: number;
}

interface Answered {
  status: number;
  data: unknown;
  headers: object;
}

export interface SnaptradeClient {
  /** Does one call within ten seconds, and checks its answer. */
  call<T>(
    answer: z.ZodType<T>,
    run: (api: Api, options: CallOptions) => Promise<Answered>,
  ): Promise<{ ok: true; data: T } | SnaptradeFailure>;
  /** The same, where `signal` ends it too. */
  callWithin(signal: AbortSignal): SnaptradeClient['call'];
}

const TIMEOUT_MS = 10_000;

/**
 * The aggregator's own library, loaded by the first call. Its errors hold the members' secrets, so none leaves this
 * file: what happened is returned. No status is an error to it, since it would sleep 35 s over a 429 and print so.
 */
export function createSnaptradeClient({ clientId, secret, baseUrl, fetch }: ClientSettings): SnaptradeClient {
  const open = async (): Promise<Api> => {
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
  let opened: Promise<Api> | undefined;
  const callWithin =
    (outer?: AbortSignal): SnaptradeClient['call'] =>
    async (answer, run) => {
      const api = await (opened ??= open());
      const timeout = AbortSignal.timeout(TIMEOUT_MS);
      const either = outer ? AbortSignal.any([outer, timeout]) : timeout;
      let answered: Answered;
      try {
        answered = await run(api, { timeout: TIMEOUT_MS, signal: either });
      } catch (error) {
        const { code } = error as { code?: unknown };
        const isLate = either.aborted || code === 'ECONNABORTED' || code === 'ETIMEDOUT';
        return { ok: false, reason: 'unavailable', code: isLate ? 'TIMEOUT' : 'NO_ANSWER' };
      }
      const { status, data } = answered;
      if (status < 200 || status > 299) return failureOf(answered);
      const read = answer.safeParse(data);
      return read.success
        ? { ok: true, data: read.data }
        : { ok: false, reason: 'unavailable', status, code: 'UNEXPECTED_ANSWER' };
    };
  return { call: callWithin(), callWithin };
}

const CODE = /^[A-Za-z0-9_]{1,40}$/;
/** Statuses that ask to come again, beside those of a fault. */
const LATER: ReadonlySet<number> = new Set([408, 425, 429]);

function failureOf({ status, data, headers }: Answered): SnaptradeFailure {
  const said = (data ?? {}) as { code?: unknown; default_code?: unknown };
  const word = [said.code, said.default_code].find((one) => typeof one === 'string' || typeof one === 'number');
  const seconds = Number((headers as Record<string, unknown>)['retry-after']);
  const isRefused = status >= 400 && status < 500 && !LATER.has(status);
  return {
    ok: false,
    reason: isRefused ? 'refused' : 'unavailable',
    status,
    code: CODE.test(String(word ?? '')) ? String(word) : `HTTP_${status}`,
    ...(seconds > 0 && { retryAfter: Math.min(seconds, 3_600) }),
  };
}

/** The aggregator does not know the member's user, or not with this secret. */
export const isUnknownUser = ({ status, code }: SnaptradeFailure): boolean =>
  status === 401 && (code === '0000' || code === '1083');
