import { insertCustomer, insertPrice, storeCustomerId, selectCustomer, selectPriceId } from './checkout-queries.ts';
import type { BillingContext } from './context.ts';
import type { Tier } from './contract.ts';
import type { PaymentResult } from './payments/payments.ts';
import { selectPlans } from './queries.ts';

/**
 * Returns the member's customer id at the provider and creates the customer at the first call. An interrupted call
 * creates no second customer.
 */
export async function ensureCustomer({ sql, payments }: BillingContext, idpId: string): Promise<PaymentResult<string>> {
  const customer = (await selectCustomer(sql, idpId)) ?? (await insertCustomer(sql, idpId));
  if (customer.customer_id !== null) return { ok: true, value: customer.customer_id };
  const created = await payments.createCustomer(customer.payer);
  if (created.ok) await storeCustomerId(sql, customer.payer, created.value);
  return created;
}

/** Returns the provider's current price of a plan, or `undefined` if the plan is not for sale. */
export async function ensurePrice(
  { sql, payments }: BillingContext,
  tier: Tier,
): Promise<PaymentResult<string> | undefined> {
  const price = (await selectPlans(sql)).find((plan) => plan.tier === tier)?.price;
  if (!price) return undefined;
  const existingPriceId = await selectPriceId(sql, tier, price);
  if (existingPriceId !== undefined) return { ok: true, value: existingPriceId };
  const { amount_minor: amountMinor, currency, interval } = price;
  const created = await payments.createPrice(tier, { amountMinor, currency, interval });
  if (created.ok) await insertPrice(sql, created.value, tier, price);
  return created;
}
