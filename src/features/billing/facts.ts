import type { Fact } from '../../platform/analytics/analytics.ts';
import type { eventContract, OwnProperties } from '../../platform/analytics/contract.ts';
import { bucketOf } from './bucket.ts';
import type { OrderedCheckout } from './checkout-queries.ts';
import type { Movement, PaidInvoice, Refunded, SyncedSubscription } from './sync-queries.ts';

/** Events of billing that the service itself reports. */
type BillingFact = {
  [Name in keyof typeof eventContract]: (typeof eventContract)[Name] extends { area: 'billing'; from: 'service' }
    ? Name
    : never;
}[keyof typeof eventContract];

/** The one way in which billing makes an event: with the entry source and its bucket, which all of them carry. */
function fact<Name extends BillingFact>(
  event: Name,
  entry: string | null,
  transition: string,
  own: OwnProperties<Name>,
  occurredAt?: Date | null,
): Fact {
  const properties = { entry_source: entry, bucket: bucketOf(entry), ...own };
  return { event, properties, transition, occurredAt: occurredAt ?? undefined };
}

const CHECKOUT_EVENTS = {
  opened: 'checkout_started',
  complete: 'checkout_completed',
  expired: 'checkout_abandoned',
} as const;

/** What became of a checkout; each once, by whichever sync it is seen first. */
export const checkoutFact = (
  { id, tier, entry_source: entry }: OrderedCheckout,
  became: keyof typeof CHECKOUT_EVENTS,
): Fact => fact(CHECKOUT_EVENTS[became], entry, `${id} ${became}`, { to_tier: tier, checkout_id: id });

const MOVEMENT_EVENTS = {
  new: 'subscription_started',
  reactivation: 'subscription_started',
  expansion: 'subscription_changed',
  contraction: 'subscription_changed',
  churn: 'subscription_canceled',
} as const satisfies Record<Movement['kind'], BillingFact>;

/** What a sync of a customer has changed in our rows. */
interface SyncChanges {
  movements: readonly Movement[];
  subscriptions: readonly SyncedSubscription[];
  completed: readonly OrderedCheckout[];
  paid: readonly PaidInvoice[];
  refunded: readonly Refunded[];
}

/** The events of a sync. Its version makes a change that happens again another event. */
export function toDomainEvents(syncVersion: string, changes: SyncChanges): Fact[] {
  const { movements, subscriptions, completed, paid, refunded } = changes;
  const planned = (is: (one: SyncedSubscription) => boolean) => subscriptions.filter(is);
  const own = (one: SyncedSubscription, what: string) =>
    [one.entry_source, `${one.id} ${what} ${syncVersion}`, { from_tier: one.tier }] as const;
  return [
    ...completed.map((checkout) => checkoutFact(checkout, 'complete')),
    ...movements.map(({ kind, entry_source: entry, from_tier, to_tier, mrr_minor, currency }) =>
      fact(MOVEMENT_EVENTS[kind], entry, `${syncVersion} ${currency}`, { from_tier, to_tier, mrr_minor, currency }),
    ),
    ...planned((one) => one.cancel_at !== null && one.was_cancel_at === null && one.status !== 'canceled').map((one) =>
      fact('subscription_cancel_scheduled', ...own(one, 'ends')),
    ),
    ...planned((one) => one.cancel_at === null && one.was_cancel_at !== null && one.status !== 'canceled').map((one) =>
      fact('subscription_resumed', ...own(one, 'goes on')),
    ),
    ...planned((one) => one.payment_problem !== null && one.payment_problem !== one.was_payment_problem).map((one) =>
      fact('invoice_payment_failed', ...own(one, 'failed')),
    ),
    ...paid.map(({ id, entry_source: entry, net_minor: amount_minor, currency, paid_at }) =>
      fact('invoice_paid', entry, `${id} paid`, { amount_minor, currency }, paid_at),
    ),
    ...refunded.map(({ id, entry_source: entry, net_minor: amount_minor, currency }) =>
      fact('invoice_refunded', entry, `${id} refunded`, { amount_minor, currency }),
    ),
  ];
}
