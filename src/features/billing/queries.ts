import { deleteInBatches } from '../../platform/database/delete-in-batches.ts';
import { queryFirstRow } from '../../platform/database/query-first-row.ts';
import type { MemberSql, ServiceSql } from '../../platform/database/roles.ts';
import type { BillingResponse, PlansResponse, Price, Tier } from './contract.ts';

interface PlanRow {
  tier: string;
  watchlist_limit: number;
}

type Plan = PlansResponse['plans'][number];

/**
 * Returns the member's current tier with its limits, or no row if the tier has no plan. On a cluster it runs on the
 * member's worker, unlike a call of `get_tier`.
 */
export const selectMemberPlan = (sql: MemberSql) =>
  sql.query<PlanRow>(
    `select p.tier, p.watchlist_limit from public.plans p
      where p.tier = coalesce((select m.tier from public.member_tiers m where m.idp_id = $1), 'free')`,
    [sql.idpId],
  );

/** Returns the plan of a tier. */
export const selectPlan = (sql: ServiceSql, tier: string) =>
  sql.query<PlanRow>(`select p.tier, p.watchlist_limit from public.plans p where p.tier = $1`, [tier]);

/** Returns all plans, smallest first. */
export const selectPlans = (sql: ServiceSql) =>
  sql.query<Plan>(
    `select p.tier, p.watchlist_limit,
            case when p.price_minor is not null then json_build_object(
              'amount_minor', p.price_minor, 'currency', p.price_currency, 'interval', p.price_interval) end as price
       from public.plans p order by array_position(array['free', 'pro', 'max'], p.tier)`,
  );

/** Updates the given fields of a plan. `price: null` removes the plan from sale. */
export async function updatePlan(
  sql: ServiceSql,
  tier: Tier,
  { watchlist_limit: limit, price }: Partial<Omit<Plan, 'tier'>>,
): Promise<void> {
  await sql.query(
    `update public.plans p set watchlist_limit = coalesce($2, p.watchlist_limit),
            price_minor = case when $3 then $4::integer else p.price_minor end,
            price_currency = case when $3 then $5 else p.price_currency end,
            price_interval = case when $3 then $6 else p.price_interval end
      where p.tier = $1`,
    [tier, limit ?? null, price !== undefined, price?.amount_minor, price?.currency, price?.interval],
  );
}

export interface MemberTiers {
  /** Effective tier. */
  tier: Tier;
  subscription_tier: Tier | null;
  subscription_status: string | null;
  granted_tier: Tier | null;
  granted_at: Date | null;
}

/** Returns the parts of a member's tier. */
export async function selectMemberTiers(sql: ServiceSql, idpId: string): Promise<MemberTiers> {
  const [effective] = await sql.query<Pick<MemberTiers, 'tier'>>('select public.get_tier($1) as tier', [idpId]);
  const [row] = await sql.query<Omit<MemberTiers, 'tier'>>(
    `select s.tier as subscription_tier, s.status as subscription_status,
            g.tier as granted_tier, g.granted_at
       from (values ($1::text)) m (idp_id)
       left join lateral (
         select b.tier, b.status from public.subscriptions b where b.idp_id = m.idp_id
          order by b.status in ('active', 'trialing', 'past_due') desc,
                   array_position(array['free', 'pro', 'max'], b.tier) desc limit 1) s on true
       left join public.tier_grants g on g.idp_id = m.idp_id`,
    [idpId],
  );
  return { ...row!, tier: effective!.tier };
}

/** Returns the current tier of each member. */
export async function selectTiers(sql: ServiceSql, idpIds: readonly string[]): Promise<ReadonlyMap<string, Tier>> {
  const rows = await sql.query<{ idp_id: string; tier: Tier }>(
    'select w.idp_id, public.get_tier(w.idp_id) as tier from unnest($1::text[]) w (idp_id)',
    [idpIds],
  );
  return new Map(rows.map(({ idp_id, tier }) => [idp_id, tier]));
}

/** Returns the tier that an operator has granted, or null without a grant. */
export async function selectGrantedTier(sql: MemberSql): Promise<Tier | null> {
  const [row] = await sql.query<{ tier: Tier }>(`select g.tier from public.tier_grants g where g.idp_id = $1`, [
    sql.idpId,
  ]);
  return row?.tier ?? null;
}

/** Grants a member a tier in addition to payments and replaces an earlier grant. `free` removes the grant. */
export async function setGrant(sql: ServiceSql, idpId: string, tier: Tier): Promise<void> {
  if (tier === 'free') return deleteGrant(sql, idpId);
  await sql.query(
    `insert into public.tier_grants (idp_id, tier) values ($1, $2)
     on conflict (idp_id) do update set tier = excluded.tier, granted_at = excluded.granted_at`,
    [idpId, tier],
  );
}

/** Grants a tier to a member without a grant. */
export async function insertGrant(sql: ServiceSql, idpId: string, tier: Exclude<Tier, 'free'>): Promise<void> {
  await sql.query(`insert into public.tier_grants (idp_id, tier) values ($1, $2) on conflict (idp_id) do nothing`, [
    idpId,
    tier,
  ]);
}

async function deleteGrant(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(`delete from public.tier_grants where idp_id = $1`, [idpId]);
}

/** Deletes a deleted member's plan and grant. */
export async function deletePlans(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(`delete from public.subscriptions where idp_id = $1`, [idpId]);
  await deleteGrant(sql, idpId);
}

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

/** Returns the effective subscription: live ones first, then the larger plan. */
export const selectLiveSubscription = (sql: MemberSql | ServiceSql, idpId: string) =>
  queryFirstRow<SubscriptionRow>(
    sql,
    `select s.id, s.tier, s.status, s.current_period_end, s.amount_minor, s.currency, s.price_interval, s.cancel_at,
            s.pending_tier, s.pending_at, s.next_amount_minor, s.payment_problem, s.problem_url
       from public.subscriptions s
      where s.idp_id = $1 and s.status in ('active', 'trialing', 'past_due')
      order by array_position(array['free', 'pro', 'max'], s.tier) desc, s.started_at limit 1`,
    [idpId],
  );

type InvoiceRow = Omit<BillingResponse['invoices'][number], 'created_at'> & { created_at: Date };

/** Returns the member's latest invoices, newest first: at least one year of monthly invoices. */
export const selectInvoices = (sql: ServiceSql, idpId: string) =>
  sql.query<InvoiceRow>(
    `select i.number, i.status, i.total_minor as amount_minor, i.currency, i.url, i.created_at
       from public.billing_customers c join public.billing_invoices i on i.payer = c.payer
      where c.idp_id = $1 and i.status <> 'draft' order by i.created_at desc, i.id limit 24`,
    [idpId],
  );

/** Records an event. Returns false if the event was recorded before. */
export async function recordEvent(sql: ServiceSql, id: string, type: string): Promise<boolean> {
  const rows = await sql.query(
    `insert into public.payment_webhook_events (event_id, type) values ($1, $2) on conflict do nothing returning 1`,
    [id, type],
  );
  return rows.length > 0;
}

/** Deletes events that the provider no longer repeats. */
export async function purgeExpiredEvents(sql: ServiceSql): Promise<void> {
  await deleteInBatches(sql, {
    statement: `delete from public.payment_webhook_events where received_at < now() - interval '40 days'`,
    time: 'received_at',
    id: 'event_id',
  });
}

/** Returns customers without a sync for `hours` hours, oldest sync first. */
export async function selectOverdueCustomers(sql: ServiceSql, hours: number, limit: number): Promise<string[]> {
  const rows = await sql.query<{ customer_id: string }>(
    `select p.customer_id from public.billing_payers p
      where p.customer_id is not null and (p.synced_at is null or p.synced_at < now() - make_interval(hours => $1))
      order by p.synced_at nulls first limit $2`,
    [hours, limit],
  );
  return rows.map(({ customer_id: id }) => id);
}

/** Deletes the link between a deleted member and their customer. Returns the customer's id. */
export async function deleteCustomer(sql: ServiceSql, idpId: string): Promise<string | null> {
  const [row] = await sql.query<{ customer_id: string | null }>(
    `delete from public.billing_customers c using public.billing_payers p
      where c.idp_id = $1 and p.payer = c.payer returning p.customer_id`,
    [idpId],
  );
  await sql.query(`delete from public.billing_checkouts k where k.idp_id = $1`, [idpId]);
  return row?.customer_id ?? null;
}
