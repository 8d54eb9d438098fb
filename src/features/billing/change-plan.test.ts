import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  type BillingApp,
  type Member,
  payCheckout,
  startBillingApp,
  submitPaymentForm,
} from '../../../test/support/billing-app.ts';
import { callBackend } from '../../../test/support/identity.ts';
import { createScope } from '../../../test/support/test-scope.ts';

let app: BillingApp;
const scope = createScope();
beforeAll(async () => {
  app = await startBillingApp(scope);
});
afterAll(() => scope.end());

async function createSubscriber(tier: string, entry?: string, card = '4242'): Promise<Member> {
  const member = await app.signUp();
  const { id, url } = await member.startCheckout(tier, entry);
  assert.equal((await payCheckout(app, url, card)).status, 303);
  assert.equal((await member.call('POST', '/api/billing/sync', { checkout_id: id })).body.tier, tier);
  return member;
}

/** Moves the embedded provider's clock past the end of the period. */
async function passPeriod(member: Member): Promise<void> {
  const { status, body } = await member.call('POST', '/api/billing/portal');
  assert.equal(status, 201);
  assert.equal((await submitPaymentForm(app, body.url, { action: 'advance' })).status, 303);
  await member.call('POST', '/api/billing/sync', {});
}

const listMovements = async ({ idpId }: Member) =>
  (
    await app.owner<{ line: string }>(
      `select m.kind || ' ' || m.mrr_minor || ' ' || m.from_tier || '>' || m.to_tier as line
         from public.billing_movements m join public.billing_customers c using (payer)
        where c.idp_id = $1 order by m.id`,
      [idpId],
    )
  ).map(({ line }) => line);

test('charges the difference of a larger plan immediately and keeps its source', async () => {
  const member = await createSubscriber('pro', 'watchlist_limit');
  const preview = await member.call('POST', '/api/billing/preview', { tier: 'max' });
  assert.deepEqual([preview.status, preview.body.due_now_minor, preview.body.currency], [200, 1_000, 'USD']);
  assert.equal((await member.readBilling()).tier, 'pro', 'a preview changes nothing');
  const changed = await member.call('POST', '/api/billing/change', { tier: 'max', entry: 'watchlist_locked' });
  assert.deepEqual([changed.status, changed.body.tier, changed.body.price.amount_minor], [200, 'max', 1_999]);
  assert.deepEqual(
    // Both invoices may have one timestamp, so their order is undefined.
    changed.body.invoices.map((invoice: { amount_minor: number }) => invoice.amount_minor).sort(),
    [1_000, 999],
  );
  const sources = await app.owner(
    `select entry_source, last_entry_source from public.subscriptions where idp_id = $1`,
    [member.idpId],
  );
  assert.deepEqual(sources, [{ entry_source: 'watchlist_limit', last_entry_source: 'watchlist_locked' }]);
  assert.deepEqual(await listMovements(member), ['new 999 free>pro', 'expansion 1000 pro>max']);
  assert.equal((await member.call('POST', '/api/billing/change', { tier: 'max' })).body.code, 'CONFLICT');
});

test('keeps tier and revenue when the card declines an upgrade until it is paid', async () => {
  const member = await createSubscriber('pro');
  await app.owner(
    `update pay_sandbox.objects set data = data || '{"_card": "0002"}' where id = (select p.customer_id
       from public.billing_payers p join public.billing_customers c using (payer) where c.idp_id = $1)`,
    [member.idpId],
  );
  const rejected = await member.call('POST', '/api/billing/change', { tier: 'max' });
  assert.deepEqual([rejected.status, rejected.body.code], [402, 'PAYMENT_REQUIRED']);
  const pendingUpgrade = await member.readBilling();
  assert.deepEqual(
    [pendingUpgrade.tier, pendingUpgrade.payment_problem],
    ['pro', { kind: 'upgrade', url: rejected.body.url }],
  );
  assert.deepEqual(await listMovements(member), ['new 999 free>pro']);
  assert.equal((await payCheckout(app, rejected.body.url)).status, 303);
  const { body } = await member.call('POST', '/api/billing/sync', {});
  assert.deepEqual([body.tier, body.payment_problem], ['max', null]);
  assert.deepEqual(await listMovements(member), ['new 999 free>pro', 'expansion 1000 pro>max']);
});

describe('a change to a smaller plan', () => {
  test('is previewed and scheduled for the end of the period', async () => {
    const member = await createSubscriber('max');
    const { current_period_end: end } = await member.readBilling();

    const preview = await member.call('POST', '/api/billing/preview', { tier: 'pro' });
    const { body } = await member.call('POST', '/api/billing/change', { tier: 'pro' });

    assert.deepEqual(preview.body, { due_now_minor: 0, currency: 'USD', effective_at: end });
    assert.deepEqual([body.tier, body.pending_change], ['max', { tier: 'pro', at: end }]);
    assert.equal(body.next_invoice.amount_minor, 999);
  });

  test('is replaced by a cancellation, which resuming reverts', async () => {
    const member = await createSubscriber('max');
    const { current_period_end: end } = await member.readBilling();
    await member.call('POST', '/api/billing/change', { tier: 'pro' });

    const { status, body } = await member.call('POST', '/api/billing/cancel');
    const resumed = await member.call('POST', '/api/billing/resume');

    assert.equal(status, 200);
    assert.deepEqual([body.tier, body.cancel_at, body.pending_change, body.next_invoice], ['max', end, null, null]);
    assert.deepEqual([resumed.body.cancel_at, resumed.body.pending_change], [null, null]);
  });

  test('is reverted by resuming', async () => {
    const member = await createSubscriber('max');
    await member.call('POST', '/api/billing/change', { tier: 'pro' });

    const { body } = await member.call('POST', '/api/billing/resume');

    assert.deepEqual([body.pending_change, body.next_invoice.amount_minor], [null, 1_999]);
  });

  test('takes effect when the period ends, once despite earlier reversals', async () => {
    const member = await createSubscriber('max');
    await member.call('POST', '/api/billing/change', { tier: 'pro' });
    await member.call('POST', '/api/billing/cancel');
    await member.call('POST', '/api/billing/resume');
    for (const verb of ['change', 'resume', 'change'])
      await member.call('POST', `/api/billing/${verb}`, verb === 'change' ? { tier: 'pro' } : undefined);

    await passPeriod(member);

    const after = await member.readBilling();
    assert.deepEqual([after.tier, after.pending_change, after.invoices.length], ['pro', null, 2]);
    assert.deepEqual(await listMovements(member), ['new 1999 free>max', 'contraction -1000 max>pro']);
    assert.deepEqual(
      app.events.filter(({ idpId }) => idpId === member.idpId).map(({ event }) => event),
      [
        'checkout_started',
        'checkout_completed',
        'subscription_started',
        'invoice_paid',
        'subscription_cancel_scheduled',
        'subscription_resumed',
        'subscription_changed',
        'invoice_paid',
      ],
    );
  });
});

test('keeps a cancelled plan until its period ends', async () => {
  const member = await createSubscriber('pro', 'watchlist_limit');
  assert.equal((await member.call('POST', '/api/billing/change', { tier: 'free' })).body.tier, 'pro');
  await passPeriod(member);
  const ended = await member.readBilling();
  assert.deepEqual([ended.tier, ended.source, ended.status], ['free', null, null]);
  const { id, url } = await member.startCheckout('pro', 'watchlist_locked');
  await payCheckout(app, url);
  await member.call('POST', '/api/billing/sync', { checkout_id: id });
  const sources = await app.owner<{ entry_source: string }>(
    `select entry_source from public.subscriptions where idp_id = $1 order by started_at`,
    [member.idpId],
  );
  assert.deepEqual(sources.map(({ entry_source: source }) => source).toSorted(), [
    'watchlist_limit',
    'watchlist_locked',
  ]);
  assert.deepEqual(await listMovements(member), [
    'new 999 free>pro',
    'churn -999 pro>free',
    'reactivation 999 free>pro',
  ]);
});

test('says where to pay when a renewal fails', async () => {
  const member = await createSubscriber('pro', undefined, '0341');
  await passPeriod(member);
  const due = await member.readBilling();
  assert.deepEqual([due.tier, due.status, due.payment_problem?.kind], ['pro', 'past_due', 'renewal']);
  assert.match(due.payment_problem!.url!, /\/_pay\/invoice\//);
  await payCheckout(app, due.payment_problem!.url!);
  const { body } = await member.call('POST', '/api/billing/sync', {});
  assert.deepEqual([body.status, body.payment_problem], ['active', null]);
});

test('excludes a disputed payment from revenue while the money is withdrawn', async () => {
  const member = await createSubscriber('pro', undefined, '0259');
  const rows = await app.owner(
    `select r.kind, r.net_minor, r.status from public.billing_refunds_and_disputes r
       join public.billing_customers c using (payer) where c.idp_id = $1`,
    [member.idpId],
  );
  assert.deepEqual(rows, [{ kind: 'dispute', net_minor: 999, status: 'needs_response' }]);
});

test('keeps the tier when a price belongs to no plan', async () => {
  const member = await createSubscriber('pro', 'watchlist_limit');
  await app.owner(
    `update pay_sandbox.objects set data = jsonb_set(jsonb_set(data, '{items,data,0,price,id}', '"price_other"'),
       '{metadata}', '{"upgrade_entry_source": "watchlist_locked"}')
      where kind = 'subscription' and data -> 'metadata' ->> 'checkout_id' = (
        select id::text from public.billing_checkouts where idp_id = $1)`,
    [member.idpId],
  );
  const { body } = await member.call('POST', '/api/billing/sync', {});
  assert.equal(body.tier, 'pro');
  const [row] = await app.owner(`select entry_source, price_id from public.subscriptions where idp_id = $1`, [
    member.idpId,
  ]);
  assert.deepEqual(row, { entry_source: 'watchlist_limit', price_id: 'price_other' });
});

test('cancels a deleted member’s subscription and keeps the pseudonymous revenue', async () => {
  const member = await createSubscriber('max', 'watchlist_limit');
  const [{ payer }] = (await app.owner(`select payer from public.billing_customers where idp_id = $1`, [
    member.idpId,
  ])) as [{ payer: string }];
  assert.equal((await callBackend(app.url, 'DELETE', `/users/${member.idpId}`)).status, 200);
  await app.billing.onUserDeleted!(app.database.service, member.idpId);
  await app.runJobs();
  const subscriptions = await app.owner(
    `select o.data ->> 'status' as status from pay_sandbox.objects o join public.billing_payers p
       on p.customer_id = o.customer where p.payer = $1 and o.kind = 'subscription'`,
    [payer],
  );
  assert.deepEqual(subscriptions, [{ status: 'canceled' }]);
  const retained = await app.owner(
    `select i.net_minor, i.entry_source, (select sum(mrr_minor)::int from public.billing_movements m
       where m.payer = i.payer) as mrr from public.billing_invoices i where i.payer = $1`,
    [payer],
  );
  assert.deepEqual(retained, [{ net_minor: 1_999, entry_source: 'watchlist_limit', mrr: 0 }]);
  assert.deepEqual(await app.owner(`select 1 from public.subscriptions where idp_id = $1`, [member.idpId]), []);
});

test('reports the granted plan that follows a cancelled one', async () => {
  const member = await createSubscriber('max');
  await app.billing.setTier(member.idpId, 'pro');

  const { body: cancelled } = await member.call('POST', '/api/billing/cancel');
  assert.deepEqual([cancelled.tier, cancelled.source, cancelled.granted_tier], ['max', 'payment', 'pro']);
  assert.equal(cancelled.cancel_at, cancelled.current_period_end);

  await passPeriod(member);
  const after = await member.readBilling();
  assert.deepEqual(
    [after.tier, after.source, after.paid_tier, after.granted_tier, after.cancel_at],
    ['pro', 'operator', null, 'pro', null],
  );
});
