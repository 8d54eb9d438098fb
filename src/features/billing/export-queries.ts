import type { MemberRows } from '../../feature.ts';

/** Rows of this feature in an export of a member's data. */
export const memberRows: MemberRows = {
  'public.tier_grants': {
    rows: `select idp_id, tier, granted_at from public.tier_grants where idp_id = $1`,
  },
  'public.subscriptions': {
    rows: `select idp_id, id, tier, status, price_id, amount_minor, currency, price_interval, started_at,
             current_period_end, cancel_at, ended_at, pending_tier, pending_at, next_amount_minor, payment_problem,
             problem_url, entry_source, last_entry_source, updated_at
        from public.subscriptions where idp_id = $1 order by started_at, id`,
  },
  'public.billing_checkouts': {
    rows: `select idp_id, id, tier, entry_source, status, origin, price_id, session_id, url, created_at,
             expires_at
        from public.billing_checkouts where idp_id = $1 order by created_at, id`,
  },
  'public.billing_customers': {
    rows: `select idp_id, payer from public.billing_customers where idp_id = $1`,
  },
  'public.billing_payers': {
    rows: `select payer, customer_id, sync_version, synced_at, created_at from public.billing_payers
       where payer in (select payer from public.billing_customers where idp_id = $1)`,
  },
  'public.billing_invoices': {
    rows: `select payer, id, subscription_id, number, status, currency, total_minor, net_minor, tier,
             entry_source, url, created_at, paid_at
        from public.billing_invoices
       where payer in (select payer from public.billing_customers where idp_id = $1) order by created_at, id`,
  },
  'public.billing_movements': {
    rows: `select payer, id, moved_at, kind, currency, mrr_minor, from_tier, to_tier, entry_source
        from public.billing_movements
       where payer in (select payer from public.billing_customers where idp_id = $1) order by id`,
  },
  'public.billing_refunds_and_disputes': {
    rows: `select payer, id, kind, invoice_id, status, currency, net_minor, created_at from public.billing_refunds_and_disputes
       where payer in (select payer from public.billing_customers where idp_id = $1) order by created_at, id`,
  },
};
