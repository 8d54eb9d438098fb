import type { Charge, Refund } from './objects.ts';
import { newId, type Store } from './store.ts';

/** Records a card payment. If the test card requires it, the payment is disputed immediately. */
export async function createCharge(
  store: Store,
  payment: Pick<Charge, 'customer' | 'payment_intent' | 'created' | 'amount' | 'currency' | 'disputed'>,
): Promise<void> {
  const charge = await store.put<Charge>({
    id: newId('ch'),
    object: 'charge',
    customer: payment.customer,
    payment_intent: payment.payment_intent,
    created: payment.created,
    amount: payment.amount,
    amount_refunded: 0,
    currency: payment.currency,
    status: 'succeeded',
    paid: true,
    refunded: false,
    disputed: payment.disputed,
    livemode: false,
    metadata: {},
    refunds: { object: 'list', data: [], has_more: false, url: '' },
  });
  if (charge.disputed) await createDispute(store, charge);
}

async function createDispute(store: Store, charge: Charge): Promise<void> {
  await store.put(
    {
      id: newId('du'),
      object: 'dispute',
      customer: charge.customer,
      charge: charge.id,
      payment_intent: charge.payment_intent,
      amount: charge.amount,
      currency: charge.currency,
      created: charge.created,
      status: 'needs_response',
      reason: 'fraudulent',
      livemode: false,
      metadata: {},
      balance_transactions: [{ id: newId('txn'), object: 'balance_transaction', amount: -charge.amount }],
    },
    'charge.dispute.created',
  );
}

/** Refunds the given amount, by default the remaining amount. Returns `undefined` if nothing remains. */
export async function refundCharge(
  store: Store,
  charge: Charge,
  amount: number = charge.amount - charge.amount_refunded,
): Promise<Refund | undefined> {
  if (amount <= 0 || amount > charge.amount - charge.amount_refunded) return undefined;
  const refund: Refund = {
    id: newId('re'),
    object: 'refund',
    charge: charge.id,
    payment_intent: charge.payment_intent,
    amount,
    currency: charge.currency,
    status: 'succeeded',
    created: store.now(),
    metadata: {},
  };
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
  charge.refunds.data.unshift(refund);
  await store.put(charge);
  await store.emit('refund.created', { ...refund, customer: charge.customer });
  return refund;
}
