import type { MemberSql, ServiceSql } from '../../platform/database/roles.ts';
import type { BillingResponse, Tier } from './contract.ts';
import { selectGrantedTier, selectInvoices, selectLiveSubscription } from './queries.ts';
import { compareTiers } from './movements.ts';
import type { Payments } from './payments/payments.ts';

/**
 * Returns a member's plan and payments from our rows. `tier` is the effective tier. Only the service may read invoices,
 * since they belong to a payer.
 */
export async function getBillingResponse(
  { member, service }: { member: MemberSql; service: ServiceSql },
  payments: Pick<Payments, 'isTest'> | undefined,
  tier: Tier,
): Promise<BillingResponse> {
  const [live, grantedTier, invoices] = await Promise.all([
    selectLiveSubscription(member, member.idpId),
    selectGrantedTier(member),
    selectInvoices(service, member.idpId),
  ]);
  const isPaid = live !== undefined && compareTiers(live.tier, tier) >= 0;
  const price = live && { amount_minor: live.amount_minor!, currency: live.currency!, interval: live.price_interval! };
  const isGranted = grantedTier !== null && compareTiers(grantedTier, tier) >= 0;
  const source = isGranted && !isPaid ? 'operator' : 'payment';
  const mode = payments?.isTest ? 'test' : 'live';
  return {
    tier,
    source: tier === 'free' ? null : source,
    payments: payments ? mode : null,
    paid_tier: live?.tier ?? null,
    granted_tier: grantedTier,
    status: live?.status ?? null,
    price: price?.currency ? price : null,
    current_period_end: live?.current_period_end?.toISOString() ?? null,
    cancel_at: live?.cancel_at?.toISOString() ?? null,
    pending_change:
      live?.pending_tier && live.pending_at ? { tier: live.pending_tier, at: live.pending_at.toISOString() } : null,
    next_invoice:
      live?.next_amount_minor && live.currency && live.current_period_end
        ? { amount_minor: live.next_amount_minor, currency: live.currency, at: live.current_period_end.toISOString() }
        : null,
    payment_problem: live?.payment_problem ? { kind: live.payment_problem, url: live.problem_url } : null,
    invoices: invoices.map((invoice) => ({ ...invoice, created_at: invoice.created_at.toISOString() })),
  };
}
