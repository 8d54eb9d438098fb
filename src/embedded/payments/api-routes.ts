import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { isTimingSafeEqual } from '../../platform/http/timing-safe-equal.ts';
import type { Handlers } from './api/call.ts';
import { charges } from './api/charges.ts';
import { checkoutSessions } from './api/checkout-sessions.ts';
import { customers } from './api/customers.ts';
import { invoices } from './api/invoices.ts';
import { portalSessions } from './api/portal-sessions.ts';
import { prices } from './api/prices.ts';
import { subscriptionSchedules } from './api/subscription-schedules.ts';
import { subscriptions } from './api/subscriptions.ts';
import { PaymentsError } from './payments-error.ts';
import { type PaymentsContext, PAYMENTS_PATH } from './payments-context.ts';
import { findStoredResponse, storeResponse } from './queries.ts';
import { withStoreTransaction, toPublicObject, type Store } from './store.ts';

const handlers: Handlers = {
  ...customers,
  ...prices,
  ...checkoutSessions,
  ...subscriptions,
  ...subscriptionSchedules,
  ...invoices,
  ...charges,
  ...portalSessions,
};

/**
 * Adds the endpoints of the provider's API that the service uses: form-encoded requests, JSON objects in responses, and
 * idempotency keys.
 */
export async function addPaymentsApi(app: HttpApp, context: PaymentsContext): Promise<void> {
  await app.register(
    async (scope: HttpApp) => {
      scope.removeAllContentTypeParsers();
      const parse = (_request: unknown, body: string | Buffer, done: (error: null, body: URLSearchParams) => void) =>
        done(null, new URLSearchParams(String(body)));
      scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: 65_536 }, parse);
      scope.setErrorHandler((error, _request, reply) => {
        if (!(error instanceof PaymentsError)) throw error;
        return reply.code(error.status).send(error.toBody());
      });
      scope.addHook('onRequest', async ({ headers: { authorization } }) => {
        if (!isTimingSafeEqual(authorization ?? '', `Bearer ${await context.secretKey()}`))
          throw new PaymentsError('invalid_api_key', { status: 401, type: 'authentication_error' });
      });
      for (const [call, { shape, run }] of Object.entries(handlers)) {
        const [method = '', path = ''] = call.split(' ');
        scope.route<{ Params: { id?: string } }>({
          method,
          url: `/v1${path}`,
          async handler(request) {
            const input = method === 'POST' ? request.body : new URLSearchParams(request.url.split('?')[1]);
            const form = input instanceof URLSearchParams ? input : new URLSearchParams();
            const params = parseParameters(shape, form);
            const { 'idempotency-key': key } = request.headers;
            const callInput = { id: request.params.id ?? '', params };
            const response = await withStoreTransaction(context, (store) =>
              withIdempotency(
                store,
                method === 'POST' ? String(key) : undefined,
                `${request.url}?${form.toString()}`,
                () => run(store, callInput as never),
              ),
            );
            context.wake();
            return response;
          },
        });
      }
    },
    { prefix: PAYMENTS_PATH },
  );
}

function parseParameters(shape: z.ZodType, form: URLSearchParams): unknown {
  const result = shape.safeParse(readForm(form));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const param = issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path.join('.');
  throw new PaymentsError(issue?.code === 'unrecognized_keys' ? 'parameter_unknown' : 'parameter_invalid', { param });
}

/** Repeats the first response of an idempotency key. Rejects a key that is reused with other parameters. */
async function withIdempotency(
  store: Store,
  key: string | undefined,
  request: string,
  run: () => Promise<object>,
): Promise<object> {
  const hash = createHash('sha256').update(request).digest();
  const storedResponse = key === undefined ? undefined : await findStoredResponse(store.sql, key);
  if (storedResponse?.request_hash.equals(hash) === false)
    throw new PaymentsError('idempotency_key_in_use', { type: 'idempotency_error' });
  if (storedResponse) return storedResponse.body;
  const response = await run();
  const body = 'id' in response ? toPublicObject(response) : response;
  if (key !== undefined) await storeResponse(store.sql, key, hash, body);
  return body;
}

interface Fields {
  [name: string]: string | Fields | (string | Fields)[];
}

/**
 * Parses form-encoded parameters: `items[0][price]=p&metadata[a]=b` → `{ items: [{ price: 'p' }], metadata: { a: 'b' }
 * }`.
 */
function readForm(form: URLSearchParams): Fields {
  const root: Fields = Object.create(null) as Fields;
  for (const [name, value] of form) {
    const path = [name.replace(/\[.*$/s, ''), ...[...name.matchAll(/\[([^\]]*)\]/g)].map(([, part]) => part!)];
    let node = root;
    for (const part of path.slice(0, -1)) {
      node[part] ??= Object.create(null) as Fields;
      node = node[part] as Fields;
    }
    node[path.at(-1)!] = value;
  }
  return indexedObjectsToArrays(root) as Fields;
}

/** Converts objects with the keys 0, 1, 2, … to arrays. */
function indexedObjectsToArrays(value: Fields[string]): Fields[string] {
  if (typeof value === 'string') return value;
  const entries = Object.entries(value).map(([name, part]) => [name, indexedObjectsToArrays(part)] as const);
  const isList = entries.length > 0 && entries.every(([name], index) => name === String(index));
  return isList ? (entries.map(([, part]) => part) as (string | Fields)[]) : Object.fromEntries(entries);
}
