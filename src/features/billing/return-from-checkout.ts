import { type CheckoutRow, selectCheckout } from './checkout-queries.ts';
import { type BillingContext, PaymentProviderUnavailable } from './context.ts';
import { closeCheckoutAs, syncMember } from './start-checkout.ts';

/**
 * Synchronises at once what a member has paid for, without waiting for an event; with a checkout, what became of it.
 * `undefined` for one that is not theirs. Throws `PaymentProviderUnavailable`.
 */
export async function returnFromCheckout(
  ctx: BillingContext,
  idpId: string,
  checkoutId: string | undefined,
): Promise<{ checkout: CheckoutRow | null } | undefined> {
  const checkout = checkoutId === undefined ? null : await selectCheckout(ctx.sql, idpId, checkoutId);
  if (checkout === undefined) return undefined;
  if (checkout?.session_id && checkout.status !== 'complete') {
    const session = await ctx.payments.readCheckout(checkout.session_id);
    if (!session.ok) throw new PaymentProviderUnavailable(`A checkout could not be read: ${session.code}.`);
    if (session.value.status !== 'open') {
      checkout.status = session.value.status;
      await closeCheckoutAs(ctx, idpId, checkout.id, session.value.status);
    }
  }
  await syncMember(ctx, idpId);
  return { checkout };
}
