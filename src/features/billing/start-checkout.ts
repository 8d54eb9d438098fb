import {
  type CheckoutRow,
  closeCheckout,
  insertCheckout,
  storeCheckoutSession,
  selectCustomer,
  selectOpenCheckout,
} from './checkout-queries.ts';
import type { BillingContext } from './context.ts';
import type { Tier, UpgradeEntry } from './contract.ts';
import { ensureCustomer, ensurePrice } from './customer.ts';
import { toCheckoutEvent } from './domain-events.ts';
import { selectLiveSubscription } from './queries.ts';
import { syncCustomer } from './sync-customer.ts';

interface CheckoutOrder {
  idpId: string;
  tier: Tier;
  entry: UpgradeEntry | null;
  /** Origin to which the browser returns after the payment. */
  origin: string;
}

export type StartedCheckout =
  | { ok: true; isNew: boolean; checkoutId: string; url: string }
  | { ok: false; reason: 'not_for_sale' | 'already_subscribed' | 'unavailable' };

/** Minimum remaining lifetime in ms of a reused checkout, so that it does not expire at once. */
const MIN_REMAINING_MS = 60_000;

/**
 * Returns the payment page of a plan. A member has at most one open checkout. It is reused for the same plan and ended
 * before one of another plan is created.
 */
export async function startCheckout(context: BillingContext, order: CheckoutOrder): Promise<StartedCheckout> {
  const { idpId, tier, entry, origin } = order;
  const unavailableResult = { ok: false, reason: 'unavailable' } as const;
  if (await selectLiveSubscription(context.sql, idpId)) return { ok: false, reason: 'already_subscribed' };
  const price = await ensurePrice(context, tier);
  if (!price) return { ok: false, reason: 'not_for_sale' };
  const customer = await ensureCustomer(context, idpId);
  if (!price.ok || !customer.ok) return unavailableResult;
  // Retry once after an existing checkout was ended, and once after a concurrent request created one.
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const existingCheckout = await selectOpenCheckout(context.sql, idpId);
    const created = existingCheckout
      ? undefined
      : await insertCheckout(context.sql, idpId, { tier, entry, origin, priceId: price.value });
    const checkout = existingCheckout ?? created;
    if (!checkout) continue;
    const url = await getOrCreateSessionUrl(context, idpId, customer.value, checkout);
    if (url === undefined) return unavailableResult;
    const isSameOrder = checkout.tier === tier && checkout.price_id === price.value && checkout.origin === origin;
    if (created || (isSameOrder && checkout.expires_at.getTime() > Date.now() + MIN_REMAINING_MS))
      return { ok: true, isNew: created !== undefined, checkoutId: checkout.id, url };
    const endResult = await endCheckout(context, idpId, checkout);
    if (endResult === 'complete') return { ok: false, reason: 'already_subscribed' };
    if (endResult === 'unavailable') return unavailableResult;
  }
  return unavailableResult;
}

/**
 * Returns the URL of the provider's payment session and updates `checkout` with a created session. A repeated call uses
 * the same idempotency key, so an interrupted call creates no second session.
 */
async function getOrCreateSessionUrl(
  { sql, payments, captureInTransaction, hasDeclinedAnalytics }: BillingContext,
  idpId: string,
  customerId: string,
  checkout: CheckoutRow,
): Promise<string | undefined> {
  if (checkout.url !== null) return checkout.url;
  const { id, tier, entry_source: entry, origin, price_id: priceId } = checkout;
  const session = await payments.createCheckout({
    customerId,
    priceId,
    checkoutMetadata: { checkoutId: id, tier, entry },
    successUrl: `${origin}/plans/return/${id}`,
    cancelUrl: `${origin}/plans${entry ? `?entry=${entry}` : ''}`,
  });
  if (!session.ok || session.value.url === null) return undefined;
  checkout.session_id = session.value.sessionId;
  checkout.expires_at = session.value.expiresAt;
  await sql.transaction(async (tx) => {
    const openedCheckout = await storeCheckoutSession(tx, idpId, id, session.value);
    if (openedCheckout)
      await captureInTransaction(tx, idpId, [toCheckoutEvent(openedCheckout, 'opened')], {
        declined: hasDeclinedAnalytics,
      });
  });
  return session.value.url;
}

/** Expires an open checkout. Returns `complete` if it was already paid. */
async function endCheckout(
  context: BillingContext,
  idpId: string,
  { id, session_id: sessionId }: CheckoutRow,
): Promise<'expired' | 'complete' | 'unavailable'> {
  if (sessionId === null) return 'unavailable';
  const expireResult = await context.payments.expireCheckout(sessionId);
  if (!expireResult.ok && expireResult.reason === 'unavailable') return 'unavailable';
  const status = expireResult.ok ? 'expired' : await readStatus(context, sessionId);
  if (status === 'open' || status === 'unavailable') return 'unavailable';
  await closeCheckoutWithEvent(context, idpId, id, status);
  if (status === 'complete') await syncCustomerOfMember(context, idpId);
  return status;
}

/** Closes a checkout and stores its analytics event in the same transaction. */
export async function closeCheckoutWithEvent(
  { sql, captureInTransaction, hasDeclinedAnalytics }: BillingContext,
  idpId: string,
  id: string,
  status: 'complete' | 'expired',
): Promise<void> {
  await sql.transaction(async (tx) => {
    const closedCheckout = await closeCheckout(tx, idpId, id, status);
    if (closedCheckout)
      await captureInTransaction(tx, idpId, [toCheckoutEvent(closedCheckout, status)], {
        declined: hasDeclinedAnalytics,
      });
  });
}

async function readStatus({ payments }: BillingContext, sessionId: string) {
  const result = await payments.readCheckout(sessionId);
  return result.ok ? result.value.status : 'unavailable';
}

/** Synchronizes the member's customer with the payment provider immediately, if the customer exists. */
export async function syncCustomerOfMember(context: BillingContext, idpId: string): Promise<void> {
  const customer = await selectCustomer(context.sql, idpId);
  if (customer?.customer_id) await syncCustomer(context, customer.customer_id);
}
