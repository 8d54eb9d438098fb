import type Stripe from 'stripe';
import type { CardName } from './cards.ts';

/**
 * Subset of a type of the provider's library. `Own` overrides fields. Fields with the prefix `_` are never returned by
 * the API.
 */
type Stored<Sdk, Names extends keyof Sdk, Own> = Omit<Pick<Sdk, Names>, keyof Own> & Own;

interface List<Item> {
  object: 'list';
  data: Item[];
  has_more: boolean;
  url: string;
}

export type Customer = Stored<
  Stripe.Customer,
  'id' | 'object' | 'created' | 'metadata',
  {
    /** Origin of the service in the customer's browser. */
    _site?: string;
    _card?: CardName;
    /** Offset of the customer's own clock in seconds. */
    _ahead?: number;
  }
>;

export type Price = Stored<
  Stripe.Price,
  'id' | 'object' | 'active' | 'created' | 'type' | 'currency' | 'nickname' | 'metadata',
  { product: string; unit_amount: number; recurring: { interval: 'month' | 'year' } }
>;

type CheckoutSession = Stored<
  Stripe.Checkout.Session,
  | 'id'
  | 'object'
  | 'status'
  | 'payment_status'
  | 'created'
  | 'expires_at'
  | 'livemode'
  | 'mode'
  | 'client_reference_id'
  | 'url',
  {
    customer: string;
    subscription: string | null;
    metadata: Record<string, string>;
    success_url: string;
    cancel_url: string;
    _token: string;
    _price: string;
    /** Metadata of the future subscription. */
    _subscription: Record<string, string>;
  }
>;

export type SubscriptionItem = Stored<
  Stripe.SubscriptionItem,
  'id' | 'object' | 'quantity' | 'subscription' | 'current_period_start' | 'current_period_end' | 'metadata',
  { price: Price }
>;

export type Subscription = Stored<
  Stripe.Subscription,
  | 'id'
  | 'object'
  | 'status'
  | 'created'
  | 'start_date'
  | 'currency'
  | 'metadata'
  | 'livemode'
  | 'cancel_at'
  | 'cancel_at_period_end'
  | 'canceled_at'
  | 'ended_at'
  | 'trial_end'
  | 'collection_method',
  {
    customer: string;
    billing_mode: { type: 'flexible' };
    schedule: string | null;
    pending_update: { expires_at: number; subscription_items: { price: Price }[]; _invoice: string } | null;
    latest_invoice: string | null;
    items: List<SubscriptionItem>;
  }
>;

interface SchedulePhase {
  start_date: number;
  end_date?: number | undefined;
  items: { id?: string | undefined; price: string; quantity?: number | undefined }[];
  proration_behavior?: 'none' | undefined;
  metadata?: Record<string, string>;
}

type SubscriptionSchedule = Stored<
  Stripe.SubscriptionSchedule,
  'id' | 'object' | 'status' | 'end_behavior' | 'created' | 'metadata',
  { customer: string; subscription: string; released_at?: number; phases: SchedulePhase[] }
>;

type InvoicePayment = Stored<
  Stripe.InvoicePayment,
  'id' | 'object' | 'status' | 'created' | 'amount_paid' | 'amount_requested' | 'currency' | 'is_default' | 'livemode',
  { invoice: string; payment: { type: 'payment_intent'; payment_intent: string } }
>;

type InvoiceLine = Stored<
  Stripe.InvoiceLineItem,
  'id' | 'object' | 'amount' | 'currency',
  { pricing: { type: 'price_details'; price_details: { price: string; product: string } } }
>;

export type Invoice = Stored<
  Stripe.Invoice,
  | 'object'
  | 'created'
  | 'livemode'
  | 'currency'
  | 'status'
  | 'billing_reason'
  | 'metadata'
  | 'number'
  | 'total'
  | 'subtotal'
  | 'total_excluding_tax'
  | 'amount_due'
  | 'amount_paid'
  | 'amount_remaining'
  | 'attempted'
  | 'attempt_count'
  | 'period_start'
  | 'period_end'
  | 'status_transitions',
  {
    id: string;
    customer: string;
    hosted_invoice_url: string;
    lines: List<InvoiceLine>;
    parent: {
      type: 'subscription_details';
      quote_details: null;
      subscription_details: { subscription: string; metadata: Record<string, string> };
    };
    payments: List<InvoicePayment>;
    _token: string;
  }
>;

export type Refund = Stored<
  Stripe.Refund,
  'id' | 'object' | 'amount' | 'currency' | 'status' | 'created' | 'metadata',
  { charge: string; payment_intent: string }
>;

export type Charge = Stored<
  Stripe.Charge,
  | 'id'
  | 'object'
  | 'created'
  | 'amount'
  | 'amount_refunded'
  | 'currency'
  | 'status'
  | 'paid'
  | 'refunded'
  | 'disputed'
  | 'livemode'
  | 'metadata',
  { customer: string; payment_intent: string; refunds: List<Refund> }
>;

type Dispute = Stored<
  Stripe.Dispute,
  'id' | 'object' | 'amount' | 'currency' | 'created' | 'status' | 'reason' | 'livemode' | 'metadata',
  {
    customer: string;
    charge: string;
    payment_intent: string;
    balance_transactions: { id: string; object: 'balance_transaction'; amount: number }[];
  }
>;

type PortalSession = Stored<
  Stripe.BillingPortal.Session,
  'id' | 'object' | 'created' | 'customer' | 'url',
  { customer: string; return_url: string; _token: string }
>;

/** Stored objects by the provider's object name. */
export interface Objects {
  customer: Customer;
  price: Price;
  'checkout.session': CheckoutSession;
  subscription: Subscription;
  subscription_schedule: SubscriptionSchedule;
  invoice: Invoice;
  charge: Charge;
  dispute: Dispute;
  'billing_portal.session': PortalSession;
}

export type Kind = keyof Objects;
export type StoredObject = Objects[Kind];
