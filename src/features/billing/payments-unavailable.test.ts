import assert from 'node:assert/strict';
import { afterAll, afterEach, beforeAll, test } from 'vitest';
import { type BillingApp, type Member, payCheckout, startBillingApp } from '../../../test/support/billing-app.ts';
import { createScope } from '../../../test/support/test-scope.ts';

/** Fault of a call to the provider: the provider is unreachable, its response is lost, or a proxy responds instead. */
type Fault = (send: () => Promise<Response>, method: string) => Promise<Response>;
const reset = (): never => {
  throw Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) });
};
const connectionReset: Fault = async () => reset();
const responseLost: Fault = async (send) => {
  await send();
  return reset();
};
const faults: Readonly<Record<string, Fault>> = {
  'is not reached': connectionReset,
  'is asked too often': async () => Response.json({ error: { type: 'rate_limit_error' } }, { status: 429 }),
  'takes no key of ours': async () => Response.json({ error: { type: 'authentication_error' } }, { status: 401 }),
  'is behind a proxy that answers a page': async () => new Response('<html>', { status: 502 }),
};

let app: BillingApp;
let fault: Fault | undefined;
const keys: string[] = [];
const scope = createScope();
beforeAll(async () => {
  app = await startBillingApp(scope, {
    wrapFetch: (fetch) => async (target, init) => {
      const { pathname } = new URL(target instanceof Request ? target.url : target);
      if (pathname.endsWith('/checkout/sessions')) keys.push(new Headers(init?.headers).get('idempotency-key')!);
      return fault ? fault(() => fetch(target, init), init?.method ?? 'GET') : fetch(target, init);
    },
  });
});
afterEach(() => {
  fault = undefined;
  keys.length = 0;
});
afterAll(() => scope.end());

/** Returns the number of a member's objects of a kind, or the charged amount, at the embedded provider. */
const countObjects = async ({ idpId }: Member, kind: string): Promise<number> =>
  (
    await app.owner<{ count: number }>(
      `select count(*)::int as count from pay_sandbox.objects o
         join public.billing_payers p on p.customer_id = o.customer
         join public.billing_customers c using (payer) where c.idp_id = $1 and o.kind = $2`,
      [idpId, kind],
    )
  )[0]!.count;

const assertUnavailable = async (member: Member, path: string, body?: object): Promise<void> => {
  const { status, body: responseBody, headers } = await member.call('POST', path, body);
  assert.deepEqual([status, responseBody.code, headers.get('retry-after')], [503, 'PAYMENTS_UNAVAILABLE', '30'], path);
};

test(
  'returns 503 with retry-after and keeps the tier when the provider is unavailable',
  { tags: ['slow'] },
  async () => {
    const subscriber = await app.signUp();
    const { id, url } = await subscriber.startCheckout('pro');
    await payCheckout(app, url);
    await subscriber.call('POST', '/api/billing/sync', { checkout_id: id });
    const before = await subscriber.readBilling();
    const visitor = await app.signUp();
    for (const [faultName, injectedFault] of Object.entries(faults)) {
      fault = injectedFault;
      await assertUnavailable(visitor, '/api/billing/checkout', { tier: 'pro' });
      assert.deepEqual(await subscriber.readBilling(), before, faultName);
    }
    fault = connectionReset;
    await Promise.all([
      assertUnavailable(subscriber, '/api/billing/change', { tier: 'max' }),
      assertUnavailable(subscriber, '/api/billing/preview', { tier: 'max' }),
      ...['cancel', 'resume', 'portal'].map((verb) => assertUnavailable(subscriber, `/api/billing/${verb}`)),
      assertUnavailable(subscriber, '/api/billing/sync', {}),
    ]);
    fault = undefined;
    assert.deepEqual(await subscriber.readBilling(), before);
    assert.equal((await visitor.startCheckout('pro')).url.includes('/_pay/checkout/'), true);
  },
);

test('retries a checkout with one idempotency key when the response is lost', { tags: ['slow'] }, async () => {
  const memberWithLostResponse = await app.signUp();
  // The customer exists already, so that the lost response is that of the session.
  await memberWithLostResponse.startCheckout('pro');
  await app.owner(`delete from public.billing_checkouts where idp_id = $1`, [memberWithLostResponse.idpId]);
  keys.length = 0;
  fault = responseLost;
  await assertUnavailable(memberWithLostResponse, '/api/billing/checkout', { tier: 'pro' });
  fault = undefined;
  const { id, url } = await memberWithLostResponse.startCheckout('pro');
  assert.ok(keys.length >= 3, 'the library and the member have repeated it');
  assert.equal(new Set(keys).size, 1, 'each time with the same key');
  assert.equal(
    await countObjects(memberWithLostResponse, 'checkout.session'),
    2,
    'the first one, and one for all of the repetitions',
  );
  await payCheckout(app, url);
  await memberWithLostResponse.call('POST', '/api/billing/sync', { checkout_id: id });
  assert.deepEqual(
    [(await memberWithLostResponse.readBilling()).tier, await countObjects(memberWithLostResponse, 'charge')],
    ['pro', 1],
  );
});

test('charges a change of plan once when its response is lost', { tags: ['slow'] }, async () => {
  for (const lostResponses of ['the change only', 'all that follows'] as const) {
    const member = await app.signUp();
    const { id, url } = await member.startCheckout('pro');
    await payCheckout(app, url);
    await member.call('POST', '/api/billing/sync', { checkout_id: id });
    // This call creates the price at the provider.
    await member.call('POST', '/api/billing/preview', { tier: 'max' });
    let isChanged = false;
    fault = async (send, method) => {
      if (method !== 'POST') return isChanged && lostResponses === 'all that follows' ? reset() : send();
      isChanged = true;
      return responseLost(send, method);
    };
    if (lostResponses === 'the change only')
      assert.equal((await member.call('POST', '/api/billing/change', { tier: 'max' })).body.tier, 'max');
    else await assertUnavailable(member, '/api/billing/change', { tier: 'max' });
    fault = undefined;
    const repeated = await member.call('POST', '/api/billing/change', { tier: 'max' });
    assert.equal(repeated.status, lostResponses === 'the change only' ? 409 : 200);
    const { tier, invoices } = await member.readBilling();
    const amounts = invoices.map(({ amount_minor: amount }) => amount).toSorted((a, b) => a - b);
    assert.deepEqual([tier, amounts], ['max', [999, 1_000]], lostResponses);
  }
});

test('writes a sync when the metadata are not valid PostgreSQL JSON', async () => {
  const member = await app.signUp();
  const { id, url } = await member.startCheckout('pro');
  await payCheckout(app, url);
  fault = async (send) => {
    const text = await (await send()).text();
    return new Response(text.replaceAll('"checkout_id":', String.raw`"note":"\u0000 \ud800","checkout_id":`));
  };
  const { status, body } = await member.call('POST', '/api/billing/sync', { checkout_id: id });
  assert.deepEqual([status, body.tier, body.checkout?.status, body.invoices?.length], [200, 'pro', 'complete', 1]);
});
