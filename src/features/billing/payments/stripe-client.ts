import type Stripe from 'stripe';
import type { PaymentFailure, PaymentResult } from './payments.ts';

export interface StripeSettings {
  secretKey: () => Promise<string>;
  /** Another address than the provider's own, and how it is reached. */
  endpoint?: { url: string; fetch: typeof globalThis.fetch } | undefined;
}

const TIMEOUT_MS = 10_000;

/** An answer without the shape that all of the provider's have: a proxy's page, or one that was cut off. */
class InvalidResponseError extends Error {}

/**
 * Runs calls of the provider's own library, loaded by the first one; what the provider refuses, or an answer that is
 * none, is returned. Its errors hold keys and requests, so none leaves this file. It repeats a call that was cut off
 * with the same idempotency key.
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
    const { stripe, StripeError } = await (libraryPromise ??= loadLibrary());
    try {
      return { ok: true, value: await work(stripe) };
    } catch (error) {
      if (error instanceof InvalidResponseError) return { ok: false, reason: 'unavailable', code: 'bad_answer' };
      if (error instanceof StripeError) return toPaymentFailure(error);
      throw error;
    }
  };
}

/** The library knows a host and no path in front of its own. */
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
  // A wrong key is no answer to the request, and another key mends it.
  const isRejected = isFinal && statusCode !== 401 && statusCode !== 403 && statusCode !== 409;
  return { ok: false, reason: isRejected ? 'refused' : 'unavailable', code: errorCode };
}

/** The library takes a 5xx with a body of JSON for an answer; every true one names its kind. */
export function assertStripeObject<Value extends { object: string }>(response: Value): Value {
  if (typeof response.object !== 'string') throw new InvalidResponseError();
  return response;
}

/** Every page of a list. */
export async function listAll<Value extends { id: string }>(
  list: (page: { limit: number; starting_after?: string }) => Promise<Stripe.ApiList<Value>>,
): Promise<Value[]> {
  const items: Value[] = [];
  for (;;) {
    const lastItem = items.at(-1);
    const { data, has_more: hasMore } = assertStripeObject(
      await list({ limit: 100, ...(lastItem && { starting_after: lastItem.id }) }),
    );
    items.push(...data);
    if (!hasMore || data.length === 0) return items;
  }
}
