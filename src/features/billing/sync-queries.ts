import { queryFirstRow } from '../../platform/database/query-first-row.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { OrderedCheckout } from './checkout-queries.ts';
import type { Tier, UpgradeEntry } from './contract.ts';
import type { CustomerState, ProviderSubscription } from './payments/payments.ts';

/** Returns a fencing token: a number greater than those of all earlier syncs. */
export async function nextSyncVersion(sql: ServiceSql): Promise<string> {
  const [row] = await sql.query<{ version: string }>(`select nextval('public.billing_sync_versions') as version`);
  return row!.version;
}

/**
 * Locks the payer of a customer until the transaction ends. `idp_id` is null if the member was deleted. Returns
 * `undefined` if a later sync was written or the customer is unknown.
 */
export const claimPayerForSync = (sql: ServiceSql, customerId: string, syncVersion: string) =>
  queryFirstRow<{ payer: string; idp_id: string | null }>(
    sql,
    `update public.billing_payers p set sync_version = $2, synced_at = now()
      where p.customer_id = $1 and p.sync_version < $2
      returning p.payer, (select c.idp_id from public.billing_customers c where c.payer = p.payer)`,
    [customerId, syncVersion],
  );

/** Returns the provider's prices of our plans, including former ones. */
export async function selectPrices(
  sql: ServiceSql,
): Promise<ReadonlyMap<string, { tier: Tier; amount_minor: number }>> {
  const rows = await sql.query<{ price_id: string; tier: Tier; amount_minor: number }>(
    `select p.price_id, p.tier, p.amount_minor from public.billing_prices p`,
  );
  return new Map(rows.map(({ price_id: id, ...price }) => [id, price]));
}

export async function selectStoredTiers(sql: ServiceSql, idpId: string): Promise<ReadonlyMap<string, Tier>> {
  const rows = await sql.query<{ id: string; tier: Tier }>(
    `select s.id, s.tier from public.subscriptions s where s.idp_id = $1`,
    [idpId],
  );
  return new Map(rows.map(({ id, tier }) => [id, tier]));
}

export interface SubscriptionToStore extends ProviderSubscription {
  tier: Tier;
  entry: UpgradeEntry | null;
  lastEntry: UpgradeEntry | null;
  nextTier: Tier | null;
  nextAmountMinor: number | null;
}

/** Subscription before and after a sync. Earlier values are null if the subscription was unknown. */
export interface SyncedSubscription {
  id: string;
  tier: Tier;
  status: string;
  entry_source: UpgradeEntry | null;
  cancel_at: Date | null;
  payment_problem: string | null;
  previous_cancel_at: Date | null;
  previous_payment_problem: string | null;
}

const UNSTORED_FIELDS: ReadonlySet<string> = new Set(['itemId', 'scheduleId', 'paymentIds', 'metadata']);
/** Omits metadata, which operators control: PostgreSQL's JSON rejects NUL and unpaired surrogates. */
const omitUnstored = (name: string, value: unknown): unknown => (UNSTORED_FIELDS.has(name) ? undefined : value);

/**
 * Inserts or updates subscriptions with the provider's current values. The entry source never changes. If the
 * provider's clock is ahead of ours, an end in the future counts as now.
 */
export const upsertSubscriptions = (sql: ServiceSql, idpId: string, subscriptions: readonly SubscriptionToStore[]) =>
  sql.query<SyncedSubscription>(
    `with previous as materialized (
       select o.id, o.cancel_at, o.payment_problem from public.subscriptions o where o.idp_id = $1
     ), written as (
     insert into public.subscriptions as n (idp_id, id, tier, status, current_period_end, price_id, amount_minor,
       currency, price_interval, started_at, ended_at, cancel_at, pending_tier, pending_at, next_amount_minor,
       entry_source, last_entry_source, problem_url, payment_problem)
     select $1, r.id, r.tier, r.status, r."periodEnd", r."priceId", r."amountMinor",
            r.currency, r.interval, r."startedAt",
            case when r."endedAt" is not null then least(r."endedAt", now()) end, r."cancelAt", r."nextTier",
            (r.next ->> 'at')::timestamptz, r."nextAmountMinor", r.entry, r."lastEntry", r."openInvoiceUrl",
            case when r.status in ('past_due', 'unpaid') then 'renewal' when r."isUpgradePending" then 'upgrade' end
       from json_to_recordset($2::json) r (id text, tier text, status text, "periodEnd" timestamptz, "priceId" text,
         "amountMinor" integer, currency text, interval text, "startedAt" timestamptz, "endedAt" timestamptz,
         "cancelAt" timestamptz, "nextTier" text, next json, "nextAmountMinor" integer, entry text, "lastEntry" text,
         "openInvoiceUrl" text, "isUpgradePending" boolean)
     on conflict (idp_id, id) do update set tier = excluded.tier, status = excluded.status,
       current_period_end = excluded.current_period_end, price_id = excluded.price_id,
       amount_minor = excluded.amount_minor, currency = excluded.currency, price_interval = excluded.price_interval,
       ended_at = excluded.ended_at, cancel_at = excluded.cancel_at, pending_tier = excluded.pending_tier,
       pending_at = excluded.pending_at, next_amount_minor = excluded.next_amount_minor,
       last_entry_source = excluded.last_entry_source, payment_problem = excluded.payment_problem,
       problem_url = excluded.problem_url, updated_at = excluded.updated_at
     returning n.id, n.tier, n.status, n.entry_source, n.cancel_at, n.payment_problem
     )
     select n.*, previous.cancel_at as previous_cancel_at, previous.payment_problem as previous_payment_problem
       from written n left join previous on previous.id = n.id`,
    [idpId, JSON.stringify(subscriptions, omitUnstored)],
  );

/** Completes the checkouts that a subscription references. Returns those that were not complete before. */
export const completeCheckouts = (sql: ServiceSql, idpId: string, ids: readonly string[]) =>
  sql.query<OrderedCheckout>(
    `update public.billing_checkouts k set status = 'complete'
      where k.idp_id = $1 and k.id::text = any ($2) and k.status <> 'complete'
      returning k.id, k.tier, k.entry_source`,
    [idpId, ids],
  );

export type InvoiceToStore = CustomerState['invoices'][number] & { tier: Tier | null; entry: UpgradeEntry | null };

/** Invoice that is paid since this sync. */
export interface PaidInvoice {
  id: string;
  net_minor: number;
  currency: string;
  entry_source: UpgradeEntry | null;
  paid_at: Date | null;
}

/**
 * Inserts or updates invoices. The description of an invoice keeps its first value. Returns those that were not paid
 * before.
 */
export async function upsertInvoices(
  sql: ServiceSql,
  payer: string,
  invoices: readonly InvoiceToStore[],
): Promise<PaidInvoice[]> {
  // Read in advance: on a cluster a subquery in RETURNING returns the values just written.
  const before = await sql.query<{ id: string }>(
    `select o.id from public.billing_invoices o
      where o.payer = $1 and o.id = any ($2::text[]) and o.status = 'paid'`,
    [payer, invoices.map(({ id }) => id)],
  );
  const previouslyPaidIds = new Set(before.map(({ id }) => id));
  const written = await sql.query<PaidInvoice & { status: string }>(
    `insert into public.billing_invoices as n (payer, id, subscription_id, number, status, currency, total_minor,
       net_minor, tier, entry_source, url, created_at, paid_at)
     select $1, r.id, r."subscriptionId", r.number, r.status, r.currency, r."totalMinor", r."netMinor", r.tier,
            r.entry, r.url, r."createdAt", r."paidAt"
       from json_to_recordset($2::json) r (id text, "subscriptionId" text, number text, status text, currency text,
         "totalMinor" integer, "netMinor" integer, tier text, entry text, url text, "createdAt" timestamptz,
         "paidAt" timestamptz)
     on conflict (payer, id) do update set number = excluded.number, status = excluded.status,
       total_minor = excluded.total_minor, net_minor = excluded.net_minor, url = excluded.url,
       paid_at = excluded.paid_at
     returning n.id, n.status, n.net_minor, n.currency, n.entry_source, n.paid_at`,
    [payer, JSON.stringify(invoices, omitUnstored)],
  );
  return written.filter(({ id, status }) => status === 'paid' && !previouslyPaidIds.has(id));
}

/** Refund or dispute since this sync. */
export type RefundRow = Omit<PaidInvoice, 'paid_at'>;

/** Inserts or updates refunds and disputes. Returns those that had not moved money before. */
export async function upsertReversals(
  sql: ServiceSql,
  payer: string,
  reversals: CustomerState['reversals'],
): Promise<RefundRow[]> {
  const before = await sql.query<{ id: string }>(
    `select o.id from public.billing_refunds_and_disputes o
      where o.payer = $1 and o.id = any ($2::text[]) and o.net_minor <> 0`,
    [payer, reversals.map(({ id }) => id)],
  );
  const previouslyMovedIds = new Set(before.map(({ id }) => id));
  const written = await sql.query<RefundRow & { kind: string }>(
    `insert into public.billing_refunds_and_disputes as n (payer, id, kind, invoice_id, status, currency, net_minor, created_at)
     select $1, r.id, r.kind, r."invoiceId", r.status, r.currency, r."netMinor", r."createdAt"
       from json_to_recordset($2::json) r (id text, kind text, "invoiceId" text, status text, currency text,
         "netMinor" integer, "createdAt" timestamptz)
     on conflict (payer, id) do update set invoice_id = excluded.invoice_id, status = excluded.status,
       net_minor = excluded.net_minor
     returning n.id, n.kind, n.net_minor, n.currency,
       (select i.entry_source from public.billing_invoices i where i.payer = n.payer and i.id = n.invoice_id)`,
    [payer, JSON.stringify(reversals)],
  );
  return written.filter(
    ({ id, kind, net_minor: netMinor }) => kind === 'refund' && netMinor > 0 && !previouslyMovedIds.has(id),
  );
}

export interface Movement {
  kind: 'new' | 'expansion' | 'contraction' | 'churn' | 'reactivation';
  currency: string;
  mrr_minor: number;
  from_tier: string;
  to_tier: string;
  entry_source: string | null;
}

export type RecurringRevenue = Pick<Movement, 'currency' | 'mrr_minor' | 'to_tier' | 'entry_source'>;

/** Returns a payer's recurring revenue by currency, the sum of the stored movements. */
export const selectRecurringRevenue = (sql: ServiceSql, payer: string) =>
  sql.query<RecurringRevenue>(
    `select m.currency, sum(m.mrr_minor)::int as mrr_minor,
            (array_agg(m.to_tier order by m.id desc))[1] as to_tier,
            (array_agg(m.entry_source order by m.id desc))[1] as entry_source
       from public.billing_movements m where m.payer = $1 group by m.currency`,
    [payer],
  );

export async function insertMovements(sql: ServiceSql, payer: string, movements: readonly Movement[]): Promise<void> {
  await sql.query(
    `insert into public.billing_movements (payer, kind, currency, mrr_minor, from_tier, to_tier, entry_source)
     select $1, r.kind, r.currency, r.mrr_minor, r.from_tier, r.to_tier, r.entry_source
       from json_to_recordset($2::json) r (kind text, currency text, mrr_minor integer, from_tier text, to_tier text,
         entry_source text)`,
    [payer, JSON.stringify(movements)],
  );
}
