-- Lets the limit of the watchlist read the tier by get_tier(), which alone knows what decides it.

create or replace function public.get_watchlist_limit(p_idp_id text) returns integer
  language plpgsql volatile set search_path = '' as $$
declare
  current_tier text;
begin
  -- One statement locks the rows of both tables, which saves processor time on the coordinator of a cluster.
  perform from (select from public.subscriptions s where s.idp_id = p_idp_id for share) paid
    full join (select from public.tier_grants g where g.idp_id = p_idp_id for share) granted on true;
  -- A statement of its own, which sees what was committed while the first one waited. In the next one it would run per plan.
  current_tier := public.get_tier(p_idp_id);
  return (select p.watchlist_limit from public.plans p where p.tier = current_tier);
end
$$;
