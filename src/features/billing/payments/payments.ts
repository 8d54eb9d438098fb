import type { WebhookScheme } from '../../../platform/http/signed-webhook.ts';
import type { Tier, UpgradeEntry } from '../contract.ts';

/**
 * A call without a good answer. `refused`: the provider said no to this very request; `unavailable`: it could not be
 * asked, or asks to come again. `code` is its own word and holds nothing of the request.
 */
export interface PaymentFailure {
  ok: false;
  reason: 'refused' | 'unavailable';
  code: string;
}

export type PaymentResult<Value> = { ok: true; value: Value } | PaymentFailure;
type AsyncPaymentResult<Value> = Promise<PaymentResult<Value>>;

/** What travels with a checkout to the subscription and its invoices. */
export interface CheckoutMetadata {
  checkoutId: string;
  tier: Tier;
  entry: UpgradeEntry | null;
}

/** Money in the smallest unit of its currency (ISO 4217, capitals). */
interface ProviderPrice {
  amountMinor: number;
  currency: string;
  interval: 'month' | 'year';
}

export const subscriptionStatuses = [
  ...(['incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'canceled', 'unpaid', 'paused'] as const),
];

/** A subscription as the provider has it now. */
export interface ProviderSubscription extends ProviderPrice {
  id: string;
  itemId: string;
  status: (typeof subscriptionStatuses)[number];
  priceId: string;
  periodEnd: Date;
  startedAt: Date;
  endedAt: Date | null;
  /** When it ends if nothing else is done. */
  cancelAt: Date | null;
  scheduleId: string | null;
  /** The price that takes over at a later moment. */
  next: { priceId: string; at: Date } | null;
  /** An upgrade waits for its payment. */
  isUpgradePending: boolean;
  /** Where the open invoice can be paid. */
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
  /** What was paid, without tax. */
  netMinor: number;
  priceId: string | null;
  url: string | null;
  createdAt: Date;
  paidAt: Date | null;
  /** The payments that settled it. */
  paymentIds: readonly string[];
  /** The subscription's at the moment when it was finalized. */
  metadata: Readonly<Record<string, string>>;
}

/** Money that went back: `netMinor` is without tax, and 0 as long as, or again when, nothing is withdrawn. */
interface ProviderReversal {
  id: string;
  kind: 'refund' | 'dispute';
  invoiceId: string | null;
  status: string;
  currency: string;
  netMinor: number;
  createdAt: Date;
}

/** All that the provider knows of a customer, as one snapshot. */
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

/** The payment provider, as far as it is used. A call with the same key has its effect once. */
export interface Payments {
  /** No money moves, and members are told so. */
  readonly isTest: boolean;
  /** Whether events must be of real payments. */
  readonly livemode: boolean;
  readonly webhookScheme: WebhookScheme;
  createCustomer(payer: string): AsyncPaymentResult<string>;
  createPrice(tier: Tier, price: ProviderPrice): AsyncPaymentResult<string>;
  createCheckout(request: CheckoutRequest): AsyncPaymentResult<ProviderCheckout>;
  readCheckout(sessionId: string): AsyncPaymentResult<ProviderCheckout>;
  expireCheckout(sessionId: string): AsyncPaymentResult<void>;
  /** Ends every checkout that could still be paid. */
  expireAllCheckouts(customerId: string): AsyncPaymentResult<void>;
  readCustomer(customerId: string): AsyncPaymentResult<CustomerState>;
  findCustomerOfCharge(chargeId: string): AsyncPaymentResult<string | null>;
  /** What a change at once would cost now. */
  previewChange(
    customerId: string,
    subscription: ProviderSubscription,
    priceId: string,
  ): AsyncPaymentResult<{ dueNowMinor: number; currency: string }>;
  /** Changes the price at once and charges the difference; until that is paid everything stays as it was. */
  upgrade(subscription: ProviderSubscription, priceId: string, entry: UpgradeEntry | null): AsyncPaymentResult<void>;
  /** Changes the price when the period ends. */
  downgrade(subscription: ProviderSubscription, priceId: string): AsyncPaymentResult<void>;
  /** Ends it with its period, or takes that back; a change that waits is taken back either way. */
  setCancelAtPeriodEnd(subscription: ProviderSubscription, isCancelled: boolean): AsyncPaymentResult<void>;
  /** Ends it at once. One that has ended is done. */
  cancelSubscription(subscriptionId: string): AsyncPaymentResult<void>;
  refund(paymentId: string): AsyncPaymentResult<void>;
  createPortal(customerId: string, returnUrl: string): AsyncPaymentResult<string>;
}
