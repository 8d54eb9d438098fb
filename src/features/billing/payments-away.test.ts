import assert from 'node:assert/strict';
import { afterAll, afterEach, beforeAll, test } from 'vitest';
import { type BillingApp, type Member, pay, startBillingApp } from '../../../test/support/billing-app.ts';

/** What becomes of a call of the provider: it is not reached, its answer is lost, or a proxy answers for it. */
type Fault = (ask: () => Promise<Response>, method: string) => Promise<Response>;
const reset = (): never => {
  throw Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) });
};
const away: Fault = async () => reset();
const answerIsLost: Fault = async (ask) => {
  await ask();
  return reset();
};
const faults: Readonly<Record<string, Fault>> = {
  'is not reached': away,
  'is asked too often': async () => Response.json({ error: { type: 'rate_limit_error' } }, { status: 429 }),
  'takes no key of ours': async () => Response.json({ error: { type: 'authentication_error' } }, { status: 401 }),
  'is behind a proxy that answers a page': async () => new Response('<html>', { status: 502 }),
};

let app: BillingApp;
let fault: Fault | undefined;
const keys: string[] = [];
const ends: (() => unknown)[] = [];
beforeAll(async () => {
  app = await startBillingApp(
    { onTestFinished: (end) => void ends.push(end) },
    {
      between: (fetch) => async (target, init) => {
        const { pathname } = new URL(target instanceof Request ? target.url : target);
        if (pathname.endsWith('/checkout/sessions')) keys.push(new Headers(init?.headers).get('idempotency-key')!);
        return fault ? fault(() => fetch(target, init), init?.method ?? 'GET') : fetch(target, init);
      },
    },
  );
});
afterEach(() => {
  fault = undefined;
  keys.length = 0;
});
afterAll(async () => {
  for (const end of ends) await end();
});

/** What the stand-in has of a member: objects of a kind, or what was charged. */
const countOf = async ({ idpId }: Member, kind: string): Promise<number> =>
  (
    await app.owner<{ count: number }>(
      `select count(*)::int as count from pay_sandbox.objects o
         join public.billing_payers p on p.customer_id = o.customer
         join public.billing_customers c using (payer) where c.idp_id = $1 and o.kind = $2`,
      [idpId, kind],
    )
  )[0]!.count;

const refusedAway = async (member: Member, path: string, body?: object): Promise<void> => {
  const { status, body: said, headers } = await member.call('POST', path, body);
  assert.deepEqual([status, said.code, headers.get('retry-after')], [503, 'PAYMENTS_UNAVAILABLE', '30'], path);
};

test(
  'while the provider is away, what asks it is 503 with when to come again, and the plan stays',
  { tags: ['slow'] },
  async () => {
    const subscriber = await app.signUp();
    const { id, url } = await subscriber.checkout('pro');
    await pay(app, url);
    await subscriber.call('POST', '/api/billing/sync', { checkout_id: id });
    const before = await subscriber.billing();
    const visitor = await app.signUp();
    for (const [what, how] of Object.entries(faults)) {
      fault = how;
      await refusedAway(visitor, '/api/billing/checkout', { tier: 'pro' });
      assert.deepEqual(await subscriber.billing(), before, what);
    }
    fault = away;
    await Promise.all([
      refusedAway(subscriber, '/api/billing/change', { tier: 'max' }),
      refusedAway(subscriber, '/api/billing/preview', { tier: 'max' }),
      ...['cancel', 'resume', 'portal'].map((verb) => refusedAway(subscriber, `/api/billing/${verb}`)),
      refusedAway(subscriber, '/api/billing/sync', {}),
    ]);
    fault = undefined;
    assert.deepEqual(await subscriber.billing(), before);
    assert.equal((await visitor.checkout('pro')).url.includes('/_pay/checkout/'), true);
  },
);

test(
  'a checkout whose answer is lost is asked for again with the same key: one session, paid for once',
  { tags: ['slow'] },
  async () => {
    const lost = await app.signUp();
    // The customer is known, so that the session's is the answer that is lost.
    await lost.checkout('pro');
    await app.owner(`delete from public.billing_checkouts where idp_id = $1`, [lost.idpId]);
    keys.length = 0;
    fault = answerIsLost;
    await refusedAway(lost, '/api/billing/checkout', { tier: 'pro' });
    fault = undefined;
    const { id, url } = await lost.checkout('pro');
    assert.ok(keys.length >= 3, 'the library and the member have repeated it');
    assert.equal(new Set(keys).size, 1, 'each time with the same key');
    assert.equal(await countOf(lost, 'checkout.session'), 2, 'the first one, and one for all of the repetitions');
    await pay(app, url);
    await lost.call('POST', '/api/billing/sync', { checkout_id: id });
    assert.deepEqual([(await lost.billing()).tier, await countOf(lost, 'charge')], ['pro', 1]);
  },
);

test(
  'a change of plan whose answer is lost is charged once: it is seen at once, or at the next try',
  { tags: ['slow'] },
  async () => {
    for (const how of ['the change alone', 'all that follows'] as const) {
      const member = await app.signUp();
      const { id, url } = await member.checkout('pro');
      await pay(app, url);
      await member.call('POST', '/api/billing/sync', { checkout_id: id });
      // The price is known to the provider from now on.
      await member.call('POST', '/api/billing/preview', { tier: 'max' });
      let isChanged = false;
      fault = async (ask, method) => {
        if (method !== 'POST') return isChanged && how === 'all that follows' ? reset() : ask();
        isChanged = true;
        return answerIsLost(ask, method);
      };
      if (how === 'the change alone')
        assert.equal((await member.call('POST', '/api/billing/change', { tier: 'max' })).body.tier, 'max');
      else await refusedAway(member, '/api/billing/change', { tier: 'max' });
      fault = undefined;
      const again = await member.call('POST', '/api/billing/change', { tier: 'max' });
      assert.equal(again.status, how === 'the change alone' ? 409 : 200);
      const { tier, invoices } = await member.billing();
      const amounts = invoices.map(({ amount_minor: amount }) => amount).toSorted((a, b) => a - b);
      assert.deepEqual([tier, amounts], ['max', [999, 1_000]], how);
    }
  },
);

test('metadata that PostgreSQL could not take as JSON keeps no sync from being written', async () => {
  const member = await app.signUp();
  const { id, url } = await member.checkout('pro');
  await pay(app, url);
  fault = async (ask) => {
    const text = await (await ask()).text();
    return new Response(text.replaceAll('"checkout_id":', String.raw`"note":"\u0000 \ud800","checkout_id":`));
  };
  const { status, body } = await member.call('POST', '/api/billing/sync', { checkout_id: id });
  assert.deepEqual([status, body.tier, body.checkout?.status, body.invoices?.length], [200, 'pro', 'complete', 1]);
});
