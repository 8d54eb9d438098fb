import { insertCustomer, insertPrice, nameCustomer, selectCustomer, selectPriceId } from './checkout-queries.ts';
import type { BillingContext } from './context.ts';
import type { Tier } from './contract.ts';
import type { PaymentResult } from './payments/payments.ts';
import { selectPlans } from './queries.ts';

/** The member's customer at the provider, made at the first time; a call that was cut off makes no second one. */
export async function ensureCustomer({ sql, payments }: BillingContext, idpId: string): Promise<PaymentResult<string>> {
  const known = (await selectCustomer(sql, idpId)) ?? (await insertCustomer(sql, idpId));
  if (known.customer_id !== null) return { ok: true, value: known.customer_id };
  const made = await payments.createCustomer(known.payer);
  if (made.ok) await nameCustomer(sql, known.payer, made.value);
  return made;
}

/** The provider's price of a plan as it is sold now; `undefined` for a plan that is not for sale. */
export async function ensurePrice(
  { sql, payments }: BillingContext,
  tier: Tier,
): Promise<PaymentResult<string> | undefined> {
  const price = (await selectPlans(sql)).find((plan) => plan.tier === tier)?.price;
  if (!price) return undefined;
  const known = await selectPriceId(sql, tier, price);
  if (known !== undefined) return { ok: true, value: known };
  const { amount_minor: amountMinor, currency, interval } = price;
  const made = await payments.createPrice(tier, { amountMinor, currency, interval });
  if (made.ok) await insertPrice(sql, made.value, tier, price);
  return made;
}
