import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'vitest';
import { payCheckout, startBillingApp, submitPaymentForm } from '../../../test/support/billing-app.ts';
import { eventually } from '../../../test/support/eventually.ts';

const EXPECTED_TYPES = [
  'checkout.session.completed',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'invoice.finalized',
  'invoice.paid',
  'charge.dispute.created',
];

/** Starts the app with a receiver of its events. Each received event is its body and signature. */
async function startWithReceiver(t: TestContext) {
  const received: { body: string; signature: string }[] = [];
  const receiver = createServer(async (request, response) => {
    received.push({ body: await text(request), signature: String(request.headers['stripe-signature']) });
    response.end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  t.onTestFinished(() => {
    receiver.close();
  });
  const app = await startBillingApp(t);
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const stop = app.payments.startBackground!(url) as () => Promise<void>;
  t.onTestFinished(stop);
  return { app, received };
}

/** Pays for a plan with a card whose payment is disputed, changes and cancels the plan, and ends its period. */
async function causeEvents(app: Awaited<ReturnType<typeof startBillingApp>>): Promise<void> {
  const member = await app.signUp();
  const checkout = await member.startCheckout('pro', 'watchlist_limit');
  await payCheckout(app, checkout.url, '0259');
  await member.call('POST', '/api/billing/sync', { checkout_id: checkout.id });
  for (const [verb, body] of [['change', { tier: 'max' }], ['change', { tier: 'pro' }], ['cancel']] as const)
    assert.equal((await member.call('POST', `/api/billing/${verb}`, body)).status, 200, verb);
  const portal = await member.call('POST', '/api/billing/portal');
  await submitPaymentForm(app, portal.body.url, { action: 'advance' });
}

test('verifies each event with the provider’s own library and rejects a changed one', async (t) => {
  const { app, received } = await startWithReceiver(t);
  const { default: Stripe } = await import('stripe');
  const { webhooks } = new Stripe('sk_test_1');

  await causeEvents(app);
  const getReceivedTypes = () => new Set(received.map(({ body }) => (JSON.parse(body) as { type: string }).type));
  await eventually(
    async () => EXPECTED_TYPES.every((type) => getReceivedTypes().has(type)),
    () => `only ${[...getReceivedTypes()].join(', ')} came`,
  );

  const [{ secret }] = (await app.owner<{ secret: string }>(
    `select secret from pay_sandbox.secrets where name = 'webhook_secret'`,
  )) as [{ secret: string }];
  for (const { body, signature } of received) {
    const event = await webhooks.constructEventAsync(body, signature, secret);
    assert.equal(event.api_version, Stripe.API_VERSION ?? event.api_version);
    await assert.rejects(webhooks.constructEventAsync(`${body} `, signature, secret), /signatures? found/);
  }
});
