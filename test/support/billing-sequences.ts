import fc from 'fast-check';
import type { CustomerState } from '../../src/features/billing/payments/payments.ts';

/** A change at the provider, with the number and times of its event's deliveries. */
interface ProviderChange {
  what: 'pro' | 'max' | 'cancel' | 'fail' | 'pay' | 'refund' | 'dispute' | 'win' | 'again';
  /** Number of deliveries of the event. */
  deliveryCount: number;
}

/** The step at which a process crashes while it handles a delivery. The delivery is then repeated. */
export type Crash = 'none' | 'before-inbox' | 'after-sync' | 'before-commit' | 'after-commit';

export interface Delivery {
  event: number;
  crash: Crash;
}

export interface BillingSequence {
  changes: ProviderChange[];
  /** Order of the deliveries, each after its change. */
  order: number[];
  crashes: Crash[];
}

const change: fc.Arbitrary<ProviderChange> = fc.record({
  what: fc.constantFrom('pro', 'max', 'cancel', 'fail', 'pay', 'refund', 'dispute', 'win', 'again'),
  deliveryCount: fc.integer({ min: 1, max: 5 }),
});

export const billingSequence: fc.Arbitrary<BillingSequence> = fc.record({
  changes: fc.array(change, { minLength: 2, maxLength: 6 }),
  order: fc.array(fc.nat(1_000), { minLength: 30, maxLength: 30 }),
  crashes: fc.array(
    fc.constantFrom<Crash[]>('none', 'none', 'before-inbox', 'after-sync', 'before-commit', 'after-commit'),
    {
      minLength: 30,
      maxLength: 30,
    },
  ),
});

/**
 * Returns the steps of changes, each with the deliveries before the next step. Deliveries of one step are handled at
 * once.
 */
export function scheduleDeliveries({ changes, order, crashes }: BillingSequence): Delivery[][] {
  const steps: Delivery[][] = changes.map(() => []);
  let next = 0;
  for (const [event, { deliveryCount: times }] of changes.entries())
    for (let time = 0; time < times; time += 1, next += 1) {
      const later = order[next % order.length]! % (changes.length - event);
      steps[event + later]!.push({ event, crash: crashes[next % crashes.length]! });
    }
  return steps.map((step, stepIndex) =>
    step
      .map((delivery, index) => ({ delivery, at: order[(stepIndex * 7 + index) % order.length]! }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ delivery }) => delivery),
  );
}

const PRICES = { pro: 999, max: 1_999 } as const;
const MONTH_MS = 30 * 86_400_000;

/** Returns the provider's customer after one more change. Invoices and refunds only grow. */
export function applyChange(state: CustomerState, { what }: ProviderChange, tag: string): CustomerState {
  const [current] = state.subscriptions.filter(({ status }) => status === 'active' || status === 'past_due');
  const now = new Date(1_780_000_000_000 + state.invoices.length * 1_000);
  const replaceSubscription = (part: Partial<CustomerState['subscriptions'][number]>): CustomerState => ({
    ...state,
    subscriptions: state.subscriptions.map((candidate) =>
      candidate === current ? { ...candidate, ...part } : candidate,
    ),
  });
  const addInvoice = (base: CustomerState, amount: number, subscriptionId: string): CustomerState => ({
    ...base,
    invoices: [
      ...base.invoices,
      {
        id: `in_${tag}_${base.invoices.length}`,
        subscriptionId,
        number: null,
        status: 'paid',
        currency: 'USD',
        totalMinor: amount,
        netMinor: amount,
        priceId: null,
        url: null,
        createdAt: now,
        paidAt: now,
        paymentIds: [],
        metadata: { upgrade_entry_source: 'watchlist_limit' },
      },
    ],
  });
  const startSubscription = (tier: 'pro' | 'max'): CustomerState => {
    const id = `sub_${tag}_${state.subscriptions.length}`;
    const subscription: CustomerState['subscriptions'][number] = {
      id,
      itemId: 'si',
      priceId: `price_${tier}`,
      amountMinor: PRICES[tier],
      currency: 'USD',
      status: 'active',
      interval: 'month',
      periodEnd: new Date(now.getTime() + MONTH_MS),
      startedAt: now,
      endedAt: null,
      cancelAt: null,
      scheduleId: null,
      next: null,
      isUpgradePending: false,
      openInvoiceUrl: null,
      metadata: { upgrade_entry_source: 'watchlist_limit' },
    };
    return addInvoice({ ...state, subscriptions: [...state.subscriptions, subscription] }, PRICES[tier], id);
  };
  const addReversal = (kind: 'refund' | 'dispute'): CustomerState => {
    const free = state.invoices.find(({ id }) => state.reversals.every(({ invoiceId }) => invoiceId !== id));
    if (!free) return state;
    const { id: invoiceId, currency, netMinor } = free;
    const newReversal = {
      id: `${kind}_${invoiceId}`,
      kind,
      invoiceId,
      status: 'succeeded',
      currency,
      netMinor,
      createdAt: now,
    };
    return { ...state, reversals: [...state.reversals, newReversal] };
  };
  switch (what) {
    case 'pro':
    case 'max':
      if (!current) return startSubscription(what);
      return addInvoice(
        replaceSubscription({ priceId: `price_${what}`, amountMinor: PRICES[what] }),
        PRICES[what],
        current.id,
      );
    case 'cancel':
      return current ? replaceSubscription({ status: 'canceled', endedAt: now }) : state;
    case 'fail':
      return current ? replaceSubscription({ status: 'past_due' }) : state;
    case 'pay':
      return current ? addInvoice(replaceSubscription({ status: 'active' }), current.amountMinor, current.id) : state;
    case 'refund':
    case 'dispute':
      return addReversal(what);
    case 'win':
      return {
        ...state,
        reversals: state.reversals.map((candidate) =>
          candidate.kind === 'dispute' ? { ...candidate, status: 'won', netMinor: 0 } : candidate,
        ),
      };
    case 'again':
      return current ? state : startSubscription('pro');
  }
}
