import type { ServiceSql } from '../database/roles.ts';
import type { Tier } from './contract.ts';

interface PlanRow {
  tier: string;
  watchlist_limit: number;
}

/** The member's tier of this moment with its limits; no row where the tier names no plan. */
export function selectPlanOf(sql: ServiceSql, idpId: string): Promise<PlanRow[]> {
  return sql.query<PlanRow>(
    `select p.tier, p.watchlist_limit from public.plans p where p.tier = (select public.tier_of($1))`,
    [idpId],
  );
}

/** One plan by its tier. */
export function selectPlan(sql: ServiceSql, tier: string): Promise<PlanRow[]> {
  return sql.query<PlanRow>(`select p.tier, p.watchlist_limit from public.plans p where p.tier = $1`, [tier]);
}

/** Every plan, the smallest first. */
export function selectPlans(sql: ServiceSql): Promise<(PlanRow & { tier: Tier })[]> {
  return sql.query<PlanRow & { tier: Tier }>(
    `select p.tier, p.watchlist_limit from public.plans p order by array_position(array['free', 'pro', 'max'], p.tier)`,
  );
}

/** Makes the member's plan this tier, active and without an end. Waits for adds under way, which hold the row. */
export async function upsertSubscription(sql: ServiceSql, idpId: string, tier: string): Promise<void> {
  await sql.query(
    `insert into public.subscriptions (idp_id, tier, status) values ($1, $2, 'active')
     on conflict (idp_id) do update set tier = excluded.tier, status = 'active', current_period_end = null,
       updated_at = now()`,
    [idpId, tier],
  );
}

interface Tiers {
  /** The one that counts. */
  tier: Tier;
  subscription_tier: Tier | null;
  subscription_status: string | null;
  granted_tier: Tier | null;
  granted_at: Date | null;
}

/** What a member's tier is made of. */
export async function selectTiersOf(sql: ServiceSql, idpId: string): Promise<Tiers> {
  const [row] = await sql.query<Tiers>(
    `select public.tier_of($1) as tier, s.tier as subscription_tier, s.status as subscription_status,
            g.tier as granted_tier, g.granted_at
       from (values ($1::text)) m (idp_id)
       left join public.subscriptions s on s.idp_id = m.idp_id
       left join public.tier_grants g on g.idp_id = m.idp_id`,
    [idpId],
  );
  return row!;
}

/** Grants a member a tier beside what is paid for, in the place of an earlier grant. */
export async function upsertGrant(sql: ServiceSql, idpId: string, tier: Tier): Promise<void> {
  await sql.query(
    `insert into public.tier_grants (idp_id, tier) values ($1, $2)
     on conflict (idp_id) do update set tier = excluded.tier, granted_at = now()`,
    [idpId, tier],
  );
}

/** Takes the grant back, where there is one. */
export async function deleteGrant(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(`delete from public.tier_grants where idp_id = $1`, [idpId]);
}

/** Removes a deleted member's plan and grant. */
export async function deletePlans(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(`delete from public.subscriptions where idp_id = $1`, [idpId]);
  await deleteGrant(sql, idpId);
}
