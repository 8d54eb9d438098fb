import type Stripe from 'stripe';
import {
  type CustomerState,
  type ProviderCheckout,
  type ProviderSubscription,
  subscriptionStatuses,
} from './payments.ts';

const toDate = (seconds: number): Date => new Date(seconds * 1_000);
const toDateOrNull = (seconds: number | null | undefined): Date | null => (seconds ? toDate(seconds) : null);
const getId = (object: string | { id: string } | null | undefined): string | null =>
  typeof object === 'string' ? object : (object?.id ?? null);

export const toProviderCheckout = ({
  id,
  status,
  url,
  expires_at: expires,
}: Stripe.Checkout.Session): ProviderCheckout => ({
  sessionId: id,
  url,
  expiresAt: toDate(expires),
  status: toCheckoutStatus(status),
});

function toCheckoutStatus(status: Stripe.Checkout.Session['status']): 'complete' | 'expired' | 'open' {
  if (status === 'complete') return 'complete';
  return status === 'expired' ? 'expired' : 'open';
}

/** Maps the provider's subscription with its one item. Either of two fields holds a pending cancellation. */
export function toProviderSubscription(subscription: Stripe.Subscription): ProviderSubscription {
  const [item] = subscription.items.data;
  if (!item) throw new Error(`The subscription ${subscription.id} has no item.`);
  const { schedule, latest_invoice: invoice } = subscription;
  const nextPhase =
    typeof schedule === 'object' && schedule && (schedule.status === 'active' || schedule.status === 'not_started')
      ? schedule.phases.find(({ start_date: start }) => start >= item.current_period_end)
      : undefined;
  const nextPrice = getId(nextPhase?.items[0]?.price);
  const cancelAt =
    toDateOrNull(subscription.cancel_at) ??
    (subscription.cancel_at_period_end ? toDate(item.current_period_end) : null);
  const isInvoiceOpen = typeof invoice === 'object' && invoice?.status === 'open';
  return {
    id: subscription.id,
    itemId: item.id,
    status: parseStatus(subscription),
    priceId: item.price.id,
    amountMinor: (item.price.unit_amount ?? 0) * (item.quantity ?? 1),
    currency: item.price.currency.toUpperCase(),
    interval: item.price.recurring?.interval === 'year' ? 'year' : 'month',
    periodEnd: toDate(item.current_period_end),
    startedAt: toDate(subscription.start_date),
    endedAt: toDateOrNull(subscription.ended_at),
    cancelAt,
    scheduleId: nextPhase ? getId(schedule) : null,
    next: nextPhase && nextPrice ? { priceId: nextPrice, at: toDate(nextPhase.start_date) } : null,
    isUpgradePending: subscription.pending_update !== null && subscription.pending_update !== undefined,
    openInvoiceUrl: isInvoiceOpen ? (invoice.hosted_invoice_url ?? null) : null,
    metadata: subscription.metadata,
  };
}

/** Parses a status. An unknown status throws, so that the sync fails, is logged and is retried. */
function parseStatus({ id, status }: Stripe.Subscription): ProviderSubscription['status'] {
  const knownStatus = subscriptionStatuses.find((name) => name === status);
  if (!knownStatus) throw new Error(`The subscription ${id} has the unknown status ${status}.`);
  return knownStatus;
}

type Invoice = CustomerState['invoices'][number];

/** Returns the paid amount without its share of tax. */
const excludeTax = (paid: number, { total, total_excluding_tax: net }: Stripe.Invoice): number =>
  total > 0 ? Math.round((paid * (net ?? total)) / total) : 0;

export function toProviderInvoice(invoice: Stripe.Invoice): Invoice & { taxShare: number } {
  const details = invoice.parent?.subscription_details;
  // A proration credits the old plan first. The last line is the new plan.
  const price = invoice.lines.data.at(-1)?.pricing?.price_details?.price;
  const { total, total_excluding_tax: net, status } = invoice;
  return {
    id: invoice.id,
    subscriptionId: getId(details?.subscription),
    number: invoice.number,
    status: status ?? 'draft',
    currency: invoice.currency.toUpperCase(),
    totalMinor: total,
    netMinor: status === 'paid' ? excludeTax(invoice.amount_paid, invoice) : 0,
    taxShare: total > 0 ? 1 - (net ?? total) / total : 0,
    priceId: getId(price),
    url: invoice.hosted_invoice_url ?? null,
    createdAt: toDate(invoice.created),
    paidAt: toDateOrNull(invoice.status_transitions.paid_at),
    paymentIds: (invoice.payments?.data ?? []).flatMap(({ payment }) => getId(payment.payment_intent) ?? []),
    metadata: details?.metadata ?? {},
  };
}

/** Returns successful refunds, and the amounts that disputes still withhold. */
export function toReversals(
  charges: readonly Stripe.Charge[],
  disputes: readonly Stripe.Dispute[],
  invoices: readonly ReturnType<typeof toProviderInvoice>[],
): CustomerState['reversals'] {
  const findInvoice = (paymentId: string | null) =>
    invoices.find(({ paymentIds }) => paymentIds.some((id) => id === paymentId));
  const toReversal = (
    kind: 'refund' | 'dispute',
    { id, created, currency, status }: { id: string; created: number; currency: string; status: string | null },
    grossMinor: number,
    paymentId: string | null,
  ): CustomerState['reversals'][number] => {
    const invoice = findInvoice(paymentId);
    return {
      id,
      kind,
      invoiceId: invoice?.id ?? null,
      status: status ?? 'unknown',
      createdAt: toDate(created),
      currency: currency.toUpperCase(),
      netMinor: Math.round(grossMinor * (1 - (invoice?.taxShare ?? 0))),
    };
  };
  return [
    ...charges.flatMap((charge) =>
      (charge.refunds?.data ?? []).map((refund) =>
        toReversal('refund', refund, refund.status === 'succeeded' ? refund.amount : 0, getId(charge.payment_intent)),
      ),
    ),
    ...disputes.map((dispute) => {
      const withdrawn = dispute.balance_transactions.reduce((sum, { amount }) => sum - amount, 0);
      return toReversal('dispute', dispute, withdrawn, getId(dispute.payment_intent));
    }),
  ];
}
