import type { Charge, Refund } from './objects.ts';
import { newId, type Store } from './store.ts';

/** Records what a card paid; the payment is disputed at once where the test card says so. */
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

/** Gives money back, all that is left where no amount is named; `undefined` where nothing is left. */
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
