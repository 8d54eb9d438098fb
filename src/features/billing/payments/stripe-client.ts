import type Stripe from 'stripe';
import type { PaymentFailure, PaymentResult } from './payments.ts';

export interface StripeSettings {
  secretKey: () => Promise<string>;
  /** Another address than the provider's own, and how it is reached. */
  endpoint?: { url: string; fetch: typeof globalThis.fetch } | undefined;
}

const TIMEOUT_MS = 10_000;

/** An answer without the shape that all of the provider's have: a proxy's page, or one that was cut off. */
class BadAnswer extends Error {}

/**
 * Runs calls of the provider's own library, loaded by the first one; what the provider refuses, or an answer that is
 * none, is returned. Its errors hold keys and requests, so none leaves this file. It repeats a call that was cut off
 * with the same idempotency key.
 */
export function createStripeClient({ secretKey, endpoint }: StripeSettings) {
  const open = async () => {
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
        httpClient: Library.createFetchHttpClient(prefixed(endpoint.fetch, url.pathname)),
      }),
    });
    return { stripe, StripeError: Library.errors.StripeError };
  };
  let opened: ReturnType<typeof open> | undefined;
  return async <Value>(work: (stripe: Stripe) => Promise<Value>): Promise<PaymentResult<Value>> => {
    const { stripe, StripeError } = await (opened ??= open());
    try {
      return { ok: true, value: await work(stripe) };
    } catch (error) {
      if (error instanceof BadAnswer) return { ok: false, reason: 'unavailable', code: 'bad_answer' };
      if (error instanceof StripeError) return failureOf(error);
      throw error;
    }
  };
}

/** The library knows a host and no path in front of its own. */
const prefixed =
  (fetch: typeof globalThis.fetch, path: string): typeof globalThis.fetch =>
  (target, init) => {
    const url = new URL(target instanceof Request ? target.url : target);
    url.pathname = `${path}${url.pathname}`;
    return fetch(url, init);
  };

function failureOf({ statusCode, code, type }: Stripe.errors.StripeError): PaymentFailure {
  const isFinal = statusCode !== undefined && statusCode >= 400 && statusCode < 500 && statusCode !== 429;
  const said = code ?? type;
  // A wrong key is no answer to the request, and another key mends it.
  const isRefused = isFinal && statusCode !== 401 && statusCode !== 403 && statusCode !== 409;
  return { ok: false, reason: isRefused ? 'refused' : 'unavailable', code: said };
}

/** The library takes a 5xx with a body of JSON for an answer; every true one names its kind. */
export function checked<Value extends { object: string }>(answer: Value): Value {
  if (typeof answer.object !== 'string') throw new BadAnswer();
  return answer;
}

/** Every page of a list. */
export async function all<Value extends { id: string }>(
  list: (page: { limit: number; starting_after?: string }) => Promise<Stripe.ApiList<Value>>,
): Promise<Value[]> {
  const found: Value[] = [];
  for (;;) {
    const last = found.at(-1);
    const { data, has_more: more } = checked(await list({ limit: 100, ...(last && { starting_after: last.id }) }));
    found.push(...data);
    if (!more || data.length === 0) return found;
  }
}
