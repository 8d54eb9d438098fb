import type Stripe from 'stripe';
import type { PaymentFailure, PaymentResult } from './payments.ts';

export interface StripeSettings {
  secretKey: () => Promise<string>;
  /** Alternative URL and fetch function in place of the provider's own endpoint. */
  endpoint?: { url: string; fetch: typeof globalThis.fetch } | undefined;
}

const TIMEOUT_MS = 10_000;

/** Thrown if a response is not an object of the provider, such as a proxy's page or a truncated body. */
class InvalidResponseError extends Error {}

/**
 * Runs calls of the provider's own library, which the first call loads. Rejected calls and invalid responses are
 * returned as failures. The library's errors contain keys and requests, so no error leaves this file. The library
 * retries an interrupted call with one idempotency key.
 */
export function createStripeClient({ secretKey, endpoint }: StripeSettings) {
  const loadLibrary = async () => {
    const { default: Library } = await import('stripe');
    const url = endpoint && new URL(endpoint.url);
    const stripe = new Library(await secretKey(), {
      timeout: TIMEOUT_MS,
      maxNetworkRetries: 2,
      telemetry: false,
      ...(url && {
        host: url.hostname,
        port: url.port || (url.protocol === 'https:' ? 443 : 80),
        protocol: url.protocol === 'https:' ? 'https' : 'http',
        httpClient: Library.createFetchHttpClient(withPathPrefix(endpoint.fetch, url.pathname)),
      }),
    });
    return { stripe, StripeError: Library.errors.StripeError };
  };
  let libraryPromise: ReturnType<typeof loadLibrary> | undefined;
  return async <Value>(work: (stripe: Stripe) => Promise<Value>): Promise<PaymentResult<Value>> => {
    libraryPromise ??= loadLibrary();
    const { stripe, StripeError } = await libraryPromise;
    try {
      return { ok: true, value: await work(stripe) };
    } catch (error) {
      if (error instanceof InvalidResponseError) return { ok: false, reason: 'unavailable', code: 'bad_answer' };
      if (error instanceof StripeError) return toPaymentFailure(error);
      throw error;
    }
  };
}

/** The library accepts a host but no path prefix. */
const withPathPrefix =
  (fetch: typeof globalThis.fetch, path: string): typeof globalThis.fetch =>
  (target, init) => {
    const url = new URL(target instanceof Request ? target.url : target);
    url.pathname = `${path}${url.pathname}`;
    return fetch(url, init);
  };

function toPaymentFailure({ statusCode, code, type }: Stripe.errors.StripeError): PaymentFailure {
  const isFinal = statusCode !== undefined && statusCode >= 400 && statusCode < 500 && statusCode !== 429;
  const errorCode = code ?? type;
  // An invalid API key counts as `unavailable`: the same request succeeds when the key is fixed.
  const isRejected = isFinal && statusCode !== 401 && statusCode !== 403 && statusCode !== 409;
  return { ok: false, reason: isRejected ? 'rejected' : 'unavailable', code: errorCode };
}

/** Throws if a response has no object type. The library accepts a 5xx with a JSON body as a response. */
export function assertStripeObject<Value extends { object: string }>(response: Value): Value {
  if (typeof response.object !== 'string') throw new InvalidResponseError();
  return response;
}

/** Returns the items of all pages of a list. */
export async function listAll<Value extends { id: string }>(
  list: (page: { limit: number; starting_after?: string }) => Promise<Stripe.ApiList<Value>>,
): Promise<Value[]> {
  const items: Value[] = [];
  let hasMore = true;
  while (hasMore) {
    const lastItem = items.at(-1);
    const page = assertStripeObject(await list({ limit: 100, ...(lastItem && { starting_after: lastItem.id }) }));
    items.push(...page.data);
    hasMore = page.has_more && page.data.length > 0;
  }
  return items;
}
