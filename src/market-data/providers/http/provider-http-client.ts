import type { z } from 'zod';
import { readWithLimit } from '../../../platform/http/read-with-limit.ts';
import type { ProviderResult, CallPriority, ProviderError, TryAcquire } from '../../domain/market-data-provider.ts';

/** Options of a provider client. `baseUrl` replaces the provider's default. */
export interface ClientOptions {
  key: string;
  baseUrl?: string | undefined;
  tryAcquire: TryAcquire;
  now: () => Date;
  /** Timeout of one call in ms, including the body (default 8000). */
  timeoutMs?: number | undefined;
}

type CallOptions = Omit<ClientOptions, 'key' | 'baseUrl'> & {
  baseUrl: string;
  /** The key, sent with every call as headers or query parameters. It never appears in messages or logs. */
  headers?: Readonly<Record<string, string>>;
  params?: Readonly<Record<string, string>>;
};

interface CallSettings {
  priority: CallPriority;
  signal: AbortSignal;
  /**
   * Name of the query parameter that holds the symbol. A provider answers 403 both for one symbol and for a whole
   * endpoint. A probe with a symbol that every plan covers tells the two apart. The error is `unknown` for the symbol
   * and `not_entitled` for the endpoint.
   */
  symbolParameter?: 'symbol' | 'symbols';
}

/** Sends one GET, rarely two, and parses the response by its schema. Every failure becomes a typed error. */
export type HttpClient = <T>(
  path: string,
  params: Readonly<Record<string, string>>,
  schema: z.ZodType<T>,
  settings: CallSettings,
) => Promise<ProviderResult<T>>;

/** A listing that every plan of either provider covers. */
const PROBE_SYMBOL = 'AAPL';

/** Maximum body size in bytes. */
const MAX_BODY_BYTES = 8_388_608;

/** Error detail if the provider timed out. */
export const TIMED_OUT_DETAIL = 'no response in time';

/** Error detail if the caller canceled the call or its deadline passed before the call. */
export const CANCELLED_DETAIL = 'canceled by the caller';

/** Time in ms after which a plan is checked again, because it may have changed. */
export const ENTITLEMENT_RETRY_MS = 60 * 60_000;

export function createHttpClient(options: CallOptions): HttpClient {
  const send = createSender(options);
  const coveredUntil = new Map<string, number>();
  return async (path, params, schema, settings) => {
    const { symbolParameter } = settings;
    const time = options.now().getTime();
    const answer = await send(path, params, schema, settings);
    if (symbolParameter === undefined || params[symbolParameter] === undefined) return answer;
    if (answer.ok) coveredUntil.set(path, time + ENTITLEMENT_RETRY_MS);
    if (answer.ok || answer.reason !== 'not_entitled' || params[symbolParameter] === PROBE_SYMBOL) return answer;
    if ((coveredUntil.get(path) ?? 0) <= time) {
      const probe = await send(path, { ...params, [symbolParameter]: PROBE_SYMBOL }, schema, settings);
      if (!probe.ok && probe.reason !== 'unknown') return probe;
      coveredUntil.set(path, time + ENTITLEMENT_RETRY_MS);
    }
    return { ok: false, reason: 'unknown' };
  };
}

function createSender({ baseUrl, headers, params, tryAcquire, timeoutMs = 8_000 }: CallOptions): HttpClient {
  return async (path, callParams, schema, { priority, signal }) => {
    if (signal.aborted) return toUpstreamError(CANCELLED_DETAIL);
    if (!(await tryAcquire(priority))) return { ok: false, reason: 'quota_exhausted' };
    try {
      const response = await fetch(
        `${baseUrl}${path}?${new URLSearchParams({ ...callParams, ...params }).toString()}`,
        {
          redirect: 'error',
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
          headers: { accept: 'application/json', 'user-agent': 'tally', ...headers },
        },
      );
      const providerError = toProviderError(response.status, response.headers.get('retry-after'));
      if (providerError) {
        await response.body?.cancel();
        return providerError;
      }
      const body = await readJson(response);
      // Check for an error object first. If every key is optional, the schema would accept it as a result.
      const bodyError = findErrorInBody(body);
      if (bodyError) return bodyError;
      const parsed = schema.safeParse(body);
      return parsed.success
        ? { ok: true, value: parsed.data }
        : toUpstreamError('the response does not match the schema');
    } catch (error) {
      return toUpstreamError(wasCancelled(signal) ? CANCELLED_DETAIL : describeError(error));
    }
  };
}

/** Returns whether the caller stopped the call for a reason other than its deadline, such as a shutdown. */
const wasCancelled = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && !(reason instanceof DOMException && reason.name === 'TimeoutError');

export const toUpstreamError = (detail: string): ProviderError => ({ ok: false, reason: 'upstream', detail });

function toProviderError(status: number, retryAfter: string | null): ProviderError | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status === 402 || status === 403) return { ok: false, reason: 'not_entitled' };
  if (status === 404) return { ok: false, reason: 'unknown' };
  if (status === 429) return { ok: false, reason: 'rate_limited', retryAfter: parseRetryAfter(retryAfter) };
  return toUpstreamError(`status ${status}`);
}

/** Parses `retry-after` (seconds or a date) into seconds, at most a day. */
function parseRetryAfter(retryAfter: string | null): number | null {
  if (retryAfter === null || retryAfter.trim() === '') return null;
  const seconds = /^\d+$/.test(retryAfter.trim()) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.min(86_400, Math.max(0, Math.ceil(seconds))) : null;
}

/** Finds an error in a body with status 200: `{ "error": … }`, `{ "Error Message": … }`. */
function findErrorInBody(body: unknown): ProviderError | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const [, text] =
    Object.entries(body).find(
      ([name, value]) => /^(error|error message|message)$/i.test(name) && typeof value === 'string',
    ) ?? [];
  if (typeof text !== 'string') return undefined;
  if (/limit reach|rate limit|too many|api limit/i.test(text))
    return { ok: false, reason: 'rate_limited', retryAfter: null };
  if (/access|premium|subscription|upgrade|exclusive|not available under/i.test(text))
    return { ok: false, reason: 'not_entitled' };
  return toUpstreamError('an error in place of data');
}

async function readJson(response: Response): Promise<unknown> {
  const bytes = await readWithLimit(response, MAX_BODY_BYTES);
  try {
    return JSON.parse(stripUnstorable(bytes.toString('utf8')));
  } catch {
    throw new Error('the response is not JSON');
  }
}

/** Removes escapes that PostgreSQL cannot store. NUL is deleted, and a lone surrogate becomes U+FFFD. */
const stripUnstorable = (json: string): string =>
  json.replace(
    /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u(?:0000|[dD][89a-fA-F][\da-fA-F]{2})|\\./g,
    (escape) => {
      if (escape.length !== 6) return escape;
      return escape === '\\u0000' ? '' : '\ufffd';
    },
  );

/** Returns the kind of an error. Never returns the URL, which contains the key. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return 'no response';
  const cause = error.cause instanceof Error ? (error.cause as NodeJS.ErrnoException).code : undefined;
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return TIMED_OUT_DETAIL;
  return cause ?? (error.message.startsWith('the response') ? error.message : error.name);
}
