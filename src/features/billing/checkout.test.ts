import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type BillingApp, payCheckout, startBillingApp, submitPaymentForm } from '../../../test/support/billing-app.ts';
import { createScope } from '../../../test/support/test-scope.ts';
import { reconcile } from './jobs.ts';

let app: BillingApp;
const scope = createScope();
beforeAll(async () => {
  app = await startBillingApp(scope);
});
afterAll(() => scope.end());

/** A member who paid for a plan on the provider's page. `sync` is the request of the return to our page. */
async function payForPro() {
  const member = await app.signUp();
  const { id, url } = await member.startCheckout('pro', 'watchlist_limit');
  const pageHtml = await (await fetch(`${app.url}${new URL(url).pathname}`)).text();
  const paid = await payCheckout(app, url);
  return { member, id, pageHtml, paid, sync: () => member.call('POST', '/api/billing/sync', { checkout_id: id }) };
}

test('shows a page for test payments without scripts and returns from it', async () => {
  const { id, pageHtml, paid } = await payForPro();

  assert.match(pageHtml, /Nothing is charged/);
  assert.match(pageHtml, /\$9\.99/);
  assert.doesNotMatch(pageHtml, /<script/);
  assert.deepEqual([paid.status, new URL(paid.location!).pathname], [303, `/plans/return/${id}`]);
});

test('activates a plan paid on the provider’s page on return, before any event', async () => {
  const { member, id, sync } = await payForPro();
  assert.equal((await member.readBilling()).tier, 'free');

  const { status, body } = await sync();

  assert.equal(status, 200);
  assert.deepEqual(body.checkout, { id, status: 'complete', tier: 'pro' });
  assert.deepEqual([body.tier, body.source, body.payments, body.status], ['pro', 'payment', 'test', 'active']);
  assert.deepEqual(body.price, { amount_minor: 999, currency: 'USD', interval: 'month' });
  assert.equal(body.invoices.length, 1);
  assert.deepEqual(body.next_invoice, { amount_minor: 999, currency: 'USD', at: body.current_period_end });
  assert.equal((await member.call('POST', '/api/billing/checkout', { tier: 'max' })).body.code, 'ALREADY_SUBSCRIBED');
});

test('attributes a subscription and its events to the entry once', async () => {
  const { member, sync } = await payForPro();

  for (const _ of [1, 2, 3]) await sync();

  const rows = await app.owner('select entry_source, tier from public.subscriptions where idp_id = $1', [member.idpId]);
  assert.deepEqual(rows, [{ entry_source: 'watchlist_limit', tier: 'pro' }]);
  assert.deepEqual(
    app.events
      .filter(({ idpId }) => idpId === member.idpId)
      .map(({ event, properties }) => [event, properties['entry_source']])
      .slice(0, 4),
    [
      ['checkout_started', 'watchlist_limit'],
      ['checkout_completed', 'watchlist_limit'],
      ['subscription_started', 'watchlist_limit'],
      ['invoice_paid', 'watchlist_limit'],
    ],
  );
  assert.equal(app.events.at(-1)!.properties['bucket'], 'proactive_watchlist');
  const stored = await app.owner<{ event: string }>(
    'select event from public.analytics_events where idp_id = $1 order by event',
    [member.idpId],
  );
  assert.deepEqual(
    stored.map(({ event }) => event),
    ['checkout_completed', 'checkout_started', 'invoice_paid', 'subscription_started'],
  );
});

test('shows the price with the decimals of its currency on the page of the provider', async (t) => {
  const [before] = await app.owner<{ amount: number; currency: string }>(
    `select price_minor as amount, price_currency as currency from public.plans where tier = 'pro'`,
  );
  const setPrice = (amount: number, currency: string) =>
    app.owner(`update public.plans set price_minor = $1, price_currency = $2 where tier = 'pro'`, [amount, currency]);
  t.onTestFinished(async () => {
    await setPrice(before!.amount, before!.currency);
  });
  for (const [amount, currency, text] of [
    [1_200, 'JPY', '¥1,200'],
    [1_500, 'KWD', 'KWD\u00a01.500'],
  ] as const) {
    await setPrice(amount, currency);
    const { url } = await (await app.signUp()).startCheckout('pro');
    const page = await (await fetch(`${app.url}${new URL(url).pathname}`)).text();
    assert.ok(page.includes(`<strong>${text}</strong>`), page);
  }
});

test('stores the end of a subscription only when the provider has ended it', async () => {
  const member = await app.signUp();
  const { id, url } = await member.startCheckout('pro');
  await payCheckout(app, url);
  await member.call('POST', '/api/billing/sync', { checkout_id: id });
  const listSubscriptions = () =>
    app.owner<{ id: string; status: string; ended_at: Date | null }>(
      'select s.id, s.status, s.ended_at from public.subscriptions s where s.idp_id = $1',
      [member.idpId],
    );
  const [running] = await listSubscriptions();
  assert.deepEqual([running!.status, running!.ended_at], ['active', null]);
  const endAt = (time: string) =>
    app.owner(
      `update pay_sandbox.objects set data = data || jsonb_build_object('status', 'canceled', 'ended_at',
         extract(epoch from ${time})::bigint) where id = $1`,
      [running!.id],
    );
  await endAt(`timestamptz '2026-11-01T10:00:00Z'`);
  await member.call('POST', '/api/billing/sync', { checkout_id: id });
  assert.equal((await listSubscriptions())[0]!.ended_at!.toISOString(), '2026-11-01T10:00:00.000Z');
  await endAt(`now() + interval '1 day'`);
  await member.call('POST', '/api/billing/sync', { checkout_id: id });
  assert.equal((await member.readBilling()).tier, 'free', 'an end that a clock ahead of ours names has come');
});

test('passes the order in both objects of the provider and the checkout in its session', async () => {
  const member = await app.signUp();
  const { id, url } = await member.startCheckout('max', 'watchlist_locked');
  await payCheckout(app, url);
  const metadata = { checkout_id: id, tier: 'max', upgrade_entry_source: 'watchlist_locked' };
  const found = await app.owner<{ kind: string; metadata: object; reference: string | null }>(
    `select o.kind, o.data -> 'metadata' as metadata, o.data ->> 'client_reference_id' as reference
       from pay_sandbox.objects o where o.kind in ('checkout.session', 'subscription')
        and o.data -> 'metadata' ->> 'checkout_id' = $1 order by o.kind`,
    [id],
  );
  assert.deepEqual(found, [
    { kind: 'checkout.session', metadata: metadata, reference: id },
    { kind: 'subscription', metadata: metadata, reference: null },
  ]);
});

test('records a payment once in the nightly sync when event and return were missed', async () => {
  const member = await app.signUp();
  const { url } = await member.startCheckout('pro');
  await payCheckout(app, url);
  assert.equal((await member.readBilling()).tier, 'free');
  assert.ok((await reconcile(app.database.service)) > 0);
  await app.runJobs();
  assert.equal((await member.readBilling()).tier, 'pro');
  assert.equal(await reconcile(app.database.service), 0, 'everybody has been synchronized');
});

test('returns the open checkout to a second tab and ends it for another plan', async () => {
  const member = await app.signUp();
  const responses = await Promise.all(
    [1, 2, 3, 4].map(() => member.call('POST', '/api/billing/checkout', { tier: 'pro' })),
  );
  assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, 200, 200, 201]);
  assert.equal(new Set(responses.map(({ body }) => JSON.stringify(body))).size, 1);
  const max = await member.startCheckout('max');
  const { url } = responses[0]!.body;
  assert.equal((await payCheckout(app, url)).status, 410, 'the former one cannot be paid any more');
  const cancelled = await submitPaymentForm(app, max.url, { action: 'cancel' });
  assert.deepEqual([cancelled.status, new URL(cancelled.location!).pathname], [303, '/plans']);
  assert.equal((await member.startCheckout('max')).url, max.url, 'leaving the page ends nothing');
});

test('refunds the lower tier when two checkouts are paid', async () => {
  const member = await app.signUp();
  const pro = await member.startCheckout('pro');
  // Simulates that the first checkout was paid before it could be closed.
  await app.owner(`update public.billing_checkouts set status = 'expired' where id = $1`, [pro.id]);
  const max = await member.startCheckout('max');
  await payCheckout(app, pro.url);
  await payCheckout(app, max.url);
  const { body } = await member.call('POST', '/api/billing/sync', { checkout_id: max.id });
  assert.deepEqual([body.tier, body.paid_tier, body.invoices.length], ['max', 'max', 2]);
  const state = await app.owner(`select tier, status from public.subscriptions where idp_id = $1 order by tier`, [
    member.idpId,
  ]);
  assert.deepEqual(state, [
    { tier: 'max', status: 'active' },
    { tier: 'pro', status: 'canceled' },
  ]);
  const readNetRevenue = () =>
    app.owner(
      `select sum(net)::int as net from (
         select net_minor as net, payer from public.billing_invoices union all
         select -net_minor, payer from public.billing_refunds_and_disputes) m
        join public.billing_customers c using (payer) where c.idp_id = $1`,
      [member.idpId],
    );
  assert.deepEqual(await readNetRevenue(), [{ net: 1_999 }]);
  const repeated = await member.call('POST', '/api/billing/sync', {});
  assert.deepEqual([repeated.status, repeated.body.tier, await readNetRevenue()], [200, 'max', [{ net: 1_999 }]]);
});

describe('rejects', () => {
  const post = async (member: Awaited<ReturnType<BillingApp['signUp']>>, path: string, body?: object) => {
    const response = await member.call('POST', path, body);
    return [response.status, response.body.code];
  };

  test('the checkout of another member', async () => {
    const { id } = await (await app.signUp()).startCheckout('pro');
    const other = await app.signUp();

    assert.deepEqual(await post(other, '/api/billing/sync', { checkout_id: id }), [404, 'NOT_FOUND']);
  });

  test.each([{ tier: 'free' }, { tier: 'gold' }, { tier: 'pro', entry: 'forged' }, { tier: 'pro', price: 1 }, {}])(
    'a checkout of %o',
    async (body) => {
      const member = await app.signUp();

      assert.deepEqual(await post(member, '/api/billing/checkout', body), [400, 'INVALID_REQUEST']);
    },
  );

  test.each([
    ['/api/billing/change', { tier: 'max' }],
    ['/api/billing/cancel', undefined],
    ['/api/billing/resume', undefined],
    ['/api/billing/portal', undefined],
  ])('%s without a subscription', async (path, body) => {
    const member = await app.signUp();

    assert.deepEqual(await post(member, path, body), [409, 'CONFLICT']);
  });

  test('a plan that is not for sale', async () => {
    const member = await app.signUp();
    await app.owner(
      `update public.plans set price_minor = null, price_currency = null, price_interval = null where tier = 'max'`,
    );
    try {
      assert.deepEqual(await post(member, '/api/billing/checkout', { tier: 'max' }), [400, 'INVALID_REQUEST']);
    } finally {
      await app.owner(
        `update public.plans set price_minor = 1999, price_currency = 'USD', price_interval = 'month' where tier = 'max'`,
      );
    }
  });
});

const UNSIGNED = { 'stripe-signature': `t=1700000000,v1=${'0'.repeat(64)}`, 'content-type': 'application/json' };

/**
 * A member who paid for a plan, and the event of the new subscription, which is not delivered. `sign` returns its
 * header as the provider's own library writes it; `deliver` returns the status.
 */
async function payWithoutReturn() {
  const member = await app.signUp();
  const { url } = await member.startCheckout('max', 'watchlist_locked');
  await payCheckout(app, url);
  const [message] = await app.owner<{ payload: string }>(
    `select payload from pay_sandbox.webhook_messages where type = 'customer.subscription.created'
      order by created_at desc limit 1`,
  );
  const payload = message!.payload;
  const deliver = async (body: string, header: string): Promise<number> => {
    const headers = { ...UNSIGNED, 'stripe-signature': header };
    return (await fetch(`${app.url}/api/webhooks/payments`, { method: 'POST', body, headers })).status;
  };
  // The embedded provider generates its secret at first use.
  assert.equal((await fetch(`${app.url}/api/webhooks/payments`, { method: 'POST', headers: UNSIGNED })).status, 401);
  const [{ secret }] = (await app.owner<{ secret: string }>(
    `select secret from pay_sandbox.secrets where name = 'webhook_secret'`,
  )) as [{ secret: string }];
  const { default: Stripe } = await import('stripe');
  const { webhooks } = new Stripe('sk_test_1');
  const sign = (signedBody = payload, secondsAgo = 0, key = secret) =>
    webhooks.generateTestHeaderString({
      payload: signedBody,
      secret: key,
      timestamp: Math.floor(Date.now() / 1_000) - secondsAgo,
    });
  const verify = async () => (await webhooks.constructEventAsync(payload, sign(), secret)).type;
  return { member, payload, deliver, sign, verify };
}

const listSyncJobs = () => app.owner(`select key from graphile_worker._private_jobs where key like 'billing-sync:%'`);

test('rejects a forged or stale event', async () => {
  const { payload, deliver, sign } = await payWithoutReturn();

  assert.equal(await deliver(payload, sign(payload, 400)), 401, 'old');
  assert.equal(await deliver(payload, sign(payload, -400)), 401, 'in the future');
  assert.equal(await deliver(payload, sign(payload, 0, 'whsec_of_another')), 401, 'another secret');
  assert.equal(await deliver(JSON.stringify(JSON.parse(payload), null, 1), sign()), 401, 'other bytes');
});

test('changes nothing when an event is of the other mode', async () => {
  const { payload, deliver, sign } = await payWithoutReturn();
  const live = payload.replace('"livemode":false', '"livemode":true').replace(/evt_\w+/, 'evt_live');

  assert.equal(await deliver(live, sign(live)), 200);

  assert.deepEqual(await listSyncJobs(), []);
});

test('counts the event once when a plan is activated without the return', async () => {
  const { member, payload, deliver, sign } = await payWithoutReturn();

  for (let time = 0; time < 3; time += 1) assert.equal(await deliver(payload, sign()), 200);
  assert.equal((await listSyncJobs()).length, 1);
  assert.equal((await member.readBilling()).tier, 'free');
  await app.runJobs();

  assert.equal((await member.readBilling()).tier, 'max');
  assert.equal(await deliver(payload, sign()), 200);
  assert.deepEqual(await listSyncJobs(), []);
});
