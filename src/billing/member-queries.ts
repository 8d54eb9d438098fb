import { firstRow } from '../database/first-row.ts';
import type { ServiceSql } from '../database/roles.ts';
import type { BillingResponse, Price, Tier } from './contract.ts';

interface SubscriptionRow {
  id: string;
  tier: Tier;
  status: string;
  current_period_end: Date | null;
  amount_minor: number | null;
  currency: string | null;
  price_interval: Price['interval'] | null;
  cancel_at: Date | null;
  pending_tier: Tier | null;
  pending_at: Date | null;
  next_amount_minor: number | null;
  payment_problem: 'renewal' | 'upgrade' | null;
  problem_url: string | null;
}

/** The one that counts: live before others, the larger plan before smaller ones. */
export const selectLiveSubscription = (sql: ServiceSql, idpId: string) =>
  firstRow<SubscriptionRow>(
    sql,
    `select s.id, s.tier, s.status, s.current_period_end, s.amount_minor, s.currency, s.price_interval, s.cancel_at,
            s.pending_tier, s.pending_at, s.next_amount_minor, s.payment_problem, s.problem_url
       from public.subscriptions s
      where s.idp_id = $1 and s.status in ('active', 'trialing', 'past_due')
      order by array_position(array['free', 'pro', 'max'], s.tier) desc, s.started_at limit 1`,
    [idpId],
  );

type InvoiceRow = Omit<BillingResponse['invoices'][number], 'created_at'> & { created_at: Date };

/** The member's invoices, the newest first; a year of monthly ones and more. */
export function selectInvoices(sql: ServiceSql, idpId: string): Promise<InvoiceRow[]> {
  return sql.query<InvoiceRow>(
    `select i.number, i.status, i.total_minor as amount_minor, i.currency, i.url, i.created_at
       from public.billing_customers c join public.billing_invoices i on i.payer = c.payer
      where c.idp_id = $1 and i.status <> 'draft' order by i.created_at desc, i.id limit 24`,
    [idpId],
  );
}

/** Notes an event; false where it was noted before. */
export async function insertEvent(sql: ServiceSql, id: string, type: string): Promise<boolean> {
  const rows = await sql.query(
    `insert into public.payment_webhook_events (event_id, type) values ($1, $2) on conflict do nothing returning 1`,
    [id, type],
  );
  return rows.length > 0;
}

/** Forgets events that the provider sends no more. */
export async function forgetEvents(sql: ServiceSql): Promise<void> {
  await sql.query(`delete from public.payment_webhook_events where received_at < now() - interval '40 days'`);
}

/** Customers that were not synchronised for so many hours, the longest first. */
export async function selectOverdue(sql: ServiceSql, hours: number, limit: number): Promise<string[]> {
  const rows = await sql.query<{ customer_id: string }>(
    `select p.customer_id from public.billing_payers p
      where p.customer_id is not null and (p.synced_at is null or p.synced_at < now() - make_interval(hours => $1))
      order by p.synced_at nulls first limit $2`,
    [hours, limit],
  );
  return rows.map(({ customer_id: id }) => id);
}

/** Removes what says that a deleted member was a customer; who they are at the provider is the answer. */
export async function deleteCustomer(sql: ServiceSql, idpId: string): Promise<string | null> {
  const [row] = await sql.query<{ customer_id: string | null }>(
    `delete from public.billing_customers c using public.billing_payers p
      where c.idp_id = $1 and p.payer = c.payer returning p.customer_id`,
    [idpId],
  );
  await sql.query(`delete from public.billing_checkouts k where k.idp_id = $1`, [idpId]);
  return row?.customer_id ?? null;
}
