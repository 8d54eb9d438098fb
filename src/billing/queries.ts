import type { ServiceSql } from '../database/roles.ts';
import type { PlansResponse, Tier } from './contract.ts';

interface PlanRow {
  tier: string;
  watchlist_limit: number;
}

type Plan = PlansResponse['plans'][number];

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
export function selectPlans(sql: ServiceSql): Promise<Plan[]> {
  return sql.query<Plan>(
    `select p.tier, p.watchlist_limit,
            case when p.price_minor is not null then json_build_object(
              'amount_minor', p.price_minor, 'currency', p.price_currency, 'interval', p.price_interval) end as price
       from public.plans p order by array_position(array['free', 'pro', 'max'], p.tier)`,
  );
}

/** Changes what is given of a plan; `price: null` takes it off sale. */
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
  const [counts] = await sql.query<Pick<Tiers, 'tier'>>('select public.tier_of($1) as tier', [idpId]);
  const [row] = await sql.query<Omit<Tiers, 'tier'>>(
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
  return { ...row!, tier: counts!.tier };
}

/** Grants a member a tier beside what is paid for, in the place of an earlier grant; `free` takes it back. */
export async function setGrant(sql: ServiceSql, idpId: string, tier: Tier): Promise<void> {
  if (tier === 'free') return deleteGrant(sql, idpId);
  await sql.query(
    `insert into public.tier_grants (idp_id, tier) values ($1, $2)
     on conflict (idp_id) do update set tier = excluded.tier, granted_at = excluded.granted_at`,
    [idpId, tier],
  );
}

async function deleteGrant(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(`delete from public.tier_grants where idp_id = $1`, [idpId]);
}

/** Removes a deleted member's plan and grant. */
export async function deletePlans(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(`delete from public.subscriptions where idp_id = $1`, [idpId]);
  await deleteGrant(sql, idpId);
}
