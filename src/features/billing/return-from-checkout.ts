import { type CheckoutRow, selectCheckout } from './checkout-queries.ts';
import { type BillingContext, PaymentProviderUnavailable } from './context.ts';
import { closeCheckoutWithEvent, syncCustomerOfMember } from './start-checkout.ts';

/**
 * Synchronizes a member's payments immediately, without an event. With a checkout, returns its status, or `undefined`
 * if it is not the member's. Throws `PaymentProviderUnavailable`.
 */
export async function returnFromCheckout(
  context: BillingContext,
  idpId: string,
  checkoutId: string | undefined,
): Promise<{ checkout: CheckoutRow | null } | undefined> {
  const checkout = checkoutId === undefined ? null : await selectCheckout(context.sql, idpId, checkoutId);
  if (checkout === undefined) return undefined;
  if (checkout?.session_id && checkout.status !== 'complete') {
    const session = await context.payments.readCheckout(checkout.session_id);
    if (!session.ok) throw new PaymentProviderUnavailable(`Failed to read a checkout: ${session.code}.`);
    if (session.value.status !== 'open') {
      checkout.status = session.value.status;
      await closeCheckoutWithEvent(context, idpId, checkout.id, session.value.status);
    }
  }
  await syncCustomerOfMember(context, idpId);
  return { checkout };
}
