import type { z } from 'zod';
import { readCapped } from '../../../platform/http/read-capped.ts';
import type { Answer, CallClass, Refusal, Spend } from '../../domain/market-data-provider.ts';

/** What the client of a provider is made with; `baseUrl` replaces the provider's own. */
export interface ClientOptions {
  key: string;
  baseUrl?: string | undefined;
  spend: Spend;
  now: () => Date;
  /** Milliseconds for one call, body included (default 8000). */
  timeoutMs?: number | undefined;
}

type CallOptions = Omit<ClientOptions, 'key' | 'baseUrl'> & {
  baseUrl: string;
  /** The key, sent with every call: as headers or as parameters. Never part of a message or a log line. */
  headers?: Readonly<Record<string, string>>;
  params?: Readonly<Record<string, string>>;
};

interface CallPurpose {
  use: CallClass;
  signal: AbortSignal;
  /**
   * The parameter, where there is one, that names the listing. Providers refuse single symbols (a foreign exchange's)
   * in the words in which they refuse a whole call: asked again about a listing that every plan covers, they tell which
   * it is. `unknown` then stands for the symbol, `not_entitled` for the call.
   */
  listingIn?: 'symbol' | 'symbols';
}

/** Sends one GET, seldom two, and reads the answer by its shape; whatever goes wrong becomes a typed refusal. */
export type Caller = <T>(
  path: string,
  params: Readonly<Record<string, string>>,
  shape: z.ZodType<T>,
  purpose: CallPurpose,
) => Promise<Answer<T>>;

/** A listing that every plan of either provider covers. */
const SAMPLE_SYMBOL = 'AAPL';

/** Bytes that a body may have. */
const BODY_CAP = 8_388_608;

/** The detail of a refusal by a provider that hangs. */
export const NO_ANSWER_IN_TIME = 'no answer in time';

/** The detail of a refusal where the caller's time was up before the call, or the caller cancelled it. */
export const CALLER_GAVE_UP = 'the caller gave up';

/** A plan is tried again after this time, in case it was changed. */
export const PLAN_MS = 60 * 60_000;

export function createCaller(options: CallOptions): Caller {
  const send = createSender(options);
  const coveredUntil = new Map<string, number>();
  return async (path, params, shape, purpose) => {
    const { listingIn } = purpose;
    const time = options.now().getTime();
    const answer = await send(path, params, shape, purpose);
    if (listingIn === undefined || params[listingIn] === undefined) return answer;
    if (answer.ok) coveredUntil.set(path, time + PLAN_MS);
    if (answer.ok || answer.reason !== 'not_entitled' || params[listingIn] === SAMPLE_SYMBOL) return answer;
    if ((coveredUntil.get(path) ?? 0) <= time) {
      const known = await send(path, { ...params, [listingIn]: SAMPLE_SYMBOL }, shape, purpose);
      if (!known.ok && known.reason !== 'unknown') return known;
      coveredUntil.set(path, time + PLAN_MS);
    }
    return { ok: false, reason: 'unknown' };
  };
}

function createSender({ baseUrl, headers, params, spend, timeoutMs = 8_000 }: CallOptions): Caller {
  return async (path, own, shape, { use, signal }) => {
    if (signal.aborted) return upstream(CALLER_GAVE_UP);
    if (!(await spend(use))) return { ok: false, reason: 'budget' };
    try {
      const response = await fetch(`${baseUrl}${path}?${new URLSearchParams({ ...own, ...params }).toString()}`, {
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        headers: { accept: 'application/json', 'user-agent': 'tally', ...headers },
      });
      const refusal = refusalOf(response.status, response.headers.get('retry-after'));
      if (refusal) {
        await response.body?.cancel();
        return refusal;
      }
      const body = await readJson(response);
      // An error object comes first: where each key may be missing, it would pass for an answer.
      const said = refusalInBody(body);
      if (said) return said;
      const parsed = shape.safeParse(body);
      return parsed.success ? { ok: true, value: parsed.data } : upstream('the answer is not what was asked for');
    } catch (error) {
      return upstream(wasCancelled(signal) ? CALLER_GAVE_UP : describe(error));
    }
  };
}

/** Whether the caller stopped the call for a reason other than its deadline, such as a shutdown. */
const wasCancelled = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && !(reason instanceof DOMException && reason.name === 'TimeoutError');

export const upstream = (detail: string): Refusal => ({ ok: false, reason: 'upstream', detail });

function refusalOf(status: number, retryAfter: string | null): Refusal | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status === 402 || status === 403) return { ok: false, reason: 'not_entitled' };
  if (status === 404) return { ok: false, reason: 'unknown' };
  if (status === 429) return { ok: false, reason: 'rate_limited', retryAfter: secondsOf(retryAfter) };
  return upstream(`status ${status}`);
}

/** `retry-after` in seconds, given as seconds or as a date; at most a day. */
function secondsOf(retryAfter: string | null): number | null {
  if (retryAfter === null || retryAfter.trim() === '') return null;
  const seconds = /^\d+$/.test(retryAfter.trim()) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.min(86_400, Math.max(0, Math.ceil(seconds))) : null;
}

/** Providers also say no with a status of 200: `{ "error": … }`, `{ "Error Message": … }`. */
function refusalInBody(body: unknown): Refusal | undefined {
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
  return upstream('an error in place of an answer');
}

async function readJson(response: Response): Promise<unknown> {
  const bytes = await readCapped(response, BODY_CAP);
  try {
    return JSON.parse(storable(bytes.toString('utf8')));
  } catch {
    throw new Error('the answer is not JSON');
  }
}

/** Without the escapes of which PostgreSQL holds no text: NUL goes, half a surrogate pair becomes U+FFFD. */
const storable = (json: string): string =>
  json.replace(
    /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u(?:0000|[dD][89a-fA-F][\da-fA-F]{2})|\\./g,
    (escape) => (escape.length !== 6 ? escape : escape === '\\u0000' ? '' : '\ufffd'),
  );

/** The kind of error; never its address, which carries the key. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer';
  const cause = error.cause instanceof Error ? (error.cause as NodeJS.ErrnoException).code : undefined;
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return NO_ANSWER_IN_TIME;
  return cause ?? (error.message.startsWith('the answer') ? error.message : error.name);
}
