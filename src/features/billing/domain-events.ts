import type { TransactionalEvent } from '../../platform/analytics/analytics.ts';
import type { eventContract, OwnProperties } from '../../platform/analytics/contract.ts';
import { getSourceBucket } from './entry-sources.ts';
import type { OrderedCheckout } from './checkout-queries.ts';
import type { Movement, PaidInvoice, RefundRow, SyncedSubscription } from './sync-queries.ts';

/** Billing events that the service itself reports. */
type BillingEvent = {
  [Name in keyof typeof eventContract]: (typeof eventContract)[Name] extends { area: 'billing'; from: 'service' }
    ? Name
    : never;
}[keyof typeof eventContract];

/** Creates a billing event. Every event has the entry source and its bucket. */
function createEvent<Name extends BillingEvent>(
  event: Name,
  entry: string | null,
  transition: string,
  ownProperties: OwnProperties<Name>,
  occurredAt?: Date | null,
): TransactionalEvent {
  const properties = { entry_source: entry, bucket: getSourceBucket(entry), ...ownProperties };
  return { event, properties, transition, occurredAt: occurredAt ?? undefined };
}

const CHECKOUT_EVENTS = {
  opened: 'checkout_started',
  complete: 'checkout_completed',
  expired: 'checkout_abandoned',
} as const;

/** Returns the event of a completed or expired checkout. The first sync that sees the result reports it, once. */
export const toCheckoutEvent = (
  { id, tier, entry_source: entry }: OrderedCheckout,
  change: keyof typeof CHECKOUT_EVENTS,
): TransactionalEvent =>
  createEvent(CHECKOUT_EVENTS[change], entry, `${id} ${change}`, { to_tier: tier, checkout_id: id });

const MOVEMENT_EVENTS = {
  new: 'subscription_started',
  reactivation: 'subscription_started',
  expansion: 'subscription_changed',
  contraction: 'subscription_changed',
  churn: 'subscription_canceled',
} as const satisfies Record<Movement['kind'], BillingEvent>;

/** Changes of our rows by a sync of a customer. */
interface SyncChanges {
  movements: readonly Movement[];
  subscriptions: readonly SyncedSubscription[];
  completed: readonly OrderedCheckout[];
  paid: readonly PaidInvoice[];
  refunded: readonly RefundRow[];
}

/** Returns the events of a sync. The event id includes the sync's version, so that a repeated change is a new event. */
export function toDomainEvents(syncVersion: string, changes: SyncChanges): TransactionalEvent[] {
  const { movements, subscriptions, completed, paid, refunded } = changes;
  const scheduled = subscriptions.filter(
    ({ cancel_at, previous_cancel_at, status }) =>
      cancel_at !== null && previous_cancel_at === null && status !== 'canceled',
  );
  const resumed = subscriptions.filter(
    ({ cancel_at, previous_cancel_at, status }) =>
      cancel_at === null && previous_cancel_at !== null && status !== 'canceled',
  );
  const failed = subscriptions.filter(
    ({ payment_problem, previous_payment_problem }) =>
      payment_problem !== null && payment_problem !== previous_payment_problem,
  );
  return [
    ...completed.map((checkout) => toCheckoutEvent(checkout, 'complete')),
    ...movements.map(({ kind, entry_source: entry, from_tier, to_tier, mrr_minor, currency }) =>
      createEvent(MOVEMENT_EVENTS[kind], entry, `${syncVersion} ${currency}`, {
        from_tier,
        to_tier,
        mrr_minor,
        currency,
      }),
    ),
    ...scheduled.map(({ id, entry_source: entry, tier }) =>
      createEvent('subscription_cancel_scheduled', entry, `${id} ends ${syncVersion}`, { from_tier: tier }),
    ),
    ...resumed.map(({ id, entry_source: entry, tier }) =>
      createEvent('subscription_resumed', entry, `${id} goes on ${syncVersion}`, { from_tier: tier }),
    ),
    ...failed.map(({ id, entry_source: entry, tier }) =>
      createEvent('invoice_payment_failed', entry, `${id} failed ${syncVersion}`, { from_tier: tier }),
    ),
    ...paid.map(({ id, entry_source: entry, net_minor: amount_minor, currency, paid_at }) =>
      createEvent('invoice_paid', entry, `${id} paid`, { amount_minor, currency }, paid_at),
    ),
    ...refunded.map(({ id, entry_source: entry, net_minor: amount_minor, currency }) =>
      createEvent('invoice_refunded', entry, `${id} refunded`, { amount_minor, currency }),
    ),
  ];
}
