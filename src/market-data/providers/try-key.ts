import { readWithLimit } from '../../platform/http/read-with-limit.ts';
import { FINNHUB_URL } from './finnhub/finnhub.ts';
import { FMP_URL } from './fmp/fmp.ts';

type ProviderId = 'fmp' | 'finnhub';

interface TryKeyOptions {
  key: string;
  /** Base URL without a trailing slash. Only tests replace the provider's default. */
  baseUrl?: string | undefined;
  timeoutMs?: number;
}

/**
 * Result of a call with a key: accepted, refused, over the limit of its calls, or no usable response. `answer` has the
 * provider's status and words, without the key.
 */
export type KeyResult = { outcome: 'accepted' } | { outcome: 'refused' | 'limited' | 'unavailable'; answer: string };

const MAX_BODY_BYTES = 65_536;
const MAX_WORDS = 160;

/** Requests one quote from a provider, to learn whether it accepts the key. Never throws. */
export async function tryKey(
  provider: ProviderId,
  { key, baseUrl, timeoutMs = 8_000 }: TryKeyOptions,
): Promise<KeyResult> {
  const url =
    provider === 'fmp'
      ? `${baseUrl ?? FMP_URL}/quote?${new URLSearchParams({ symbol: 'AAPL', apikey: key }).toString()}`
      : `${baseUrl ?? FINNHUB_URL}/quote?symbol=AAPL`;
  try {
    const response = await fetch(url, {
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept: 'application/json', ...(provider === 'finnhub' && { 'x-finnhub-token': key }) },
    });
    const body = (await readWithLimit(response, MAX_BODY_BYTES)).toString('utf8');
    return toResult(response.status, body, key);
  } catch (error) {
    return { outcome: 'unavailable', answer: describeFailure(error as Error) };
  }
}

function toResult(status: number, body: string, key: string): KeyResult {
  const words = findErrorWords(body);
  if (status === 200 && words === undefined) return { outcome: 'accepted' };
  const shown = words?.replaceAll(key, '…').replaceAll(/\s+/g, ' ').trim().slice(0, MAX_WORDS);
  const answer = shown ? `status ${status}: ${shown}` : `status ${status}`;
  if (status === 429 || (status === 200 && /limit/i.test(shown ?? ''))) return { outcome: 'limited', answer };
  return { outcome: [200, 401, 402, 403].includes(status) ? 'refused' : 'unavailable', answer };
}

/** Returns the message of `{ "error": … }` or `{ "Error Message": … }`, which may come with status 200. */
function findErrorWords(body: string): string | undefined {
  try {
    const [, words] =
      Object.entries(JSON.parse(body) as object).find(([name]) => /^(error|error message|message)$/i.test(name)) ?? [];
    return typeof words === 'string' ? words : undefined;
  } catch {
    return body === '' ? 'no JSON' : body;
  }
}

/** Returns the kind of a failure. Never returns the URL, which contains the key. */
function describeFailure({ name, cause }: Error): string {
  if (name === 'TimeoutError') return 'no response in time';
  return (cause as NodeJS.ErrnoException | undefined)?.code ?? name;
}
