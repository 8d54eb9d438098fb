import type { WebhookScheme } from '../../../platform/http/signed-webhook.ts';
import type { Tier, UpgradeEntry } from '../contract.ts';

/**
 * Failed call. `rejected`: the provider rejected this request. `unavailable`: the provider was unreachable or requires a
 * later retry. `code` is the provider's own error code and contains nothing of the request.
 */
export interface PaymentFailure {
  ok: false;
  reason: 'rejected' | 'unavailable';
  code: string;
}

export type PaymentResult<Value> = { ok: true; value: Value } | PaymentFailure;
type AsyncPaymentResult<Value> = Promise<PaymentResult<Value>>;

/** Metadata that the provider copies from a checkout to the subscription and its invoices. */
export interface CheckoutMetadata {
  checkoutId: string;
  tier: Tier;
  entry: UpgradeEntry | null;
}

/** Money in the minor unit of its currency (ISO 4217, capitals). */
interface ProviderPrice {
  amountMinor: number;
  currency: string;
  interval: 'month' | 'year';
}

export const subscriptionStatuses = [
  ...(['incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'canceled', 'unpaid', 'paused'] as const),
];

/** Current state of a subscription at the provider. */
export interface ProviderSubscription extends ProviderPrice {
  id: string;
  itemId: string;
  status: (typeof subscriptionStatuses)[number];
  priceId: string;
  periodEnd: Date;
  startedAt: Date;
  endedAt: Date | null;
  /** Time at which the subscription ends, if nothing changes. */
  cancelAt: Date | null;
  scheduleId: string | null;
  /** Scheduled price and the time of the change. */
  next: { priceId: string; at: Date } | null;
  /** True while an upgrade has an unpaid invoice. */
  isUpgradePending: boolean;
  /** Payment page of the open invoice. */
  openInvoiceUrl: string | null;
  metadata: Readonly<Record<string, string>>;
}

interface ProviderInvoice {
  id: string;
  subscriptionId: string | null;
  number: string | null;
  status: string;
  currency: string;
  totalMinor: number;
  /** Paid amount without tax. */
  netMinor: number;
  priceId: string | null;
  url: string | null;
  createdAt: Date;
  paidAt: Date | null;
  /** Payments that settled the invoice. */
  paymentIds: readonly string[];
  /** The subscription's metadata when the invoice was finalized. */
  metadata: Readonly<Record<string, string>>;
}

/** Refund or dispute. `netMinor` excludes tax and is 0 while nothing is withdrawn. */
interface ProviderReversal {
  id: string;
  kind: 'refund' | 'dispute';
  invoiceId: string | null;
  status: string;
  currency: string;
  netMinor: number;
  createdAt: Date;
}

/** Snapshot of a customer at the provider. */
export interface CustomerState {
  subscriptions: readonly ProviderSubscription[];
  invoices: readonly ProviderInvoice[];
  reversals: readonly ProviderReversal[];
}

interface CheckoutRequest {
  customerId: string;
  priceId: string;
  checkoutMetadata: CheckoutMetadata;
  successUrl: string;
  cancelUrl: string;
}

export interface ProviderCheckout {
  sessionId: string;
  status: 'open' | 'complete' | 'expired';
  url: string | null;
  expiresAt: Date;
}

/** Operations of the payment provider that the service uses. Calls with equal keys take effect once. */
export interface Payments {
  /** True if no money is charged. Members see a notice. */
  readonly isTest: boolean;
  /** Expected `livemode` of events. */
  readonly livemode: boolean;
  readonly webhookScheme: WebhookScheme;
  createCustomer(payer: string): AsyncPaymentResult<string>;
  createPrice(tier: Tier, price: ProviderPrice): AsyncPaymentResult<string>;
  createCheckout(request: CheckoutRequest): AsyncPaymentResult<ProviderCheckout>;
  readCheckout(sessionId: string): AsyncPaymentResult<ProviderCheckout>;
  expireCheckout(sessionId: string): AsyncPaymentResult<void>;
  /** Expires every checkout that could still be paid. */
  expireAllCheckouts(customerId: string): AsyncPaymentResult<void>;
  readCustomer(customerId: string): AsyncPaymentResult<CustomerState>;
  findCustomerOfCharge(chargeId: string): AsyncPaymentResult<string | null>;
  /** Returns the cost of an immediate change. */
  previewChange(
    customerId: string,
    subscription: ProviderSubscription,
    priceId: string,
  ): AsyncPaymentResult<{ dueNowMinor: number; currency: string }>;
  /** Changes the price immediately and charges the difference. Until payment nothing changes. */
  upgrade(subscription: ProviderSubscription, priceId: string, entry: UpgradeEntry | null): AsyncPaymentResult<void>;
  /** Schedules the price for the end of the period. */
  downgrade(subscription: ProviderSubscription, priceId: string): AsyncPaymentResult<void>;
  /** Sets or clears the cancellation at the period's end. Both remove a pending change. */
  setCancelAtPeriodEnd(subscription: ProviderSubscription, isCancelled: boolean): AsyncPaymentResult<void>;
  /** Cancels the subscription immediately. An ended subscription counts as success. */
  cancelSubscription(subscriptionId: string): AsyncPaymentResult<void>;
  refund(paymentId: string): AsyncPaymentResult<void>;
  createPortal(customerId: string, returnUrl: string): AsyncPaymentResult<string>;
}
