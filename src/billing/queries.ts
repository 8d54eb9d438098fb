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

/** Removes a deleted member's plan. */
export async function deleteSubscription(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(`delete from public.subscriptions where idp_id = $1`, [idpId]);
}
