-- Tiers that an operator grants, beside what is paid for: no payment overwrites them, and they are no revenue.

create table public.tier_grants (
  idp_id text primary key references public.all_users (idp_id) on delete cascade,
  tier text not null references public.plans (tier) check (tier <> 'free'),
  granted_at timestamptz not null default now()
);
comment on table public.tier_grants is 'A tier that an operator gave a member, until they take it back. The higher of it and the paid one counts.';
create index tier_grants_tier on public.tier_grants (tier);

alter table public.tier_grants enable row level security;
create policy tier_grants_read_own on public.tier_grants for select to authenticated using (idp_id = public.member_id());
grant select on public.tier_grants to authenticated;
grant select, insert, update, delete on public.tier_grants to service_role;

create or replace function public.tier_of(p_idp_id text) returns text
  language plpgsql stable set search_path = '' as $$
begin
  return coalesce(
    (select held.tier
       from (select s.tier from public.subscriptions s
              where s.idp_id = p_idp_id
                and (s.status in ('active', 'trialing', 'past_due')
                  or (s.status = 'canceled' and s.current_period_end > now()))
             union all
             select g.tier from public.tier_grants g where g.idp_id = p_idp_id) held
      order by array_position(array['free', 'pro', 'max'], held.tier) desc limit 1),
    'free');
end
$$;

-- Holds both still until the transaction ends, so that an add and a change of plan happen one after the other.
create or replace function public.watchlist_limit_of(p_idp_id text) returns integer
  language plpgsql volatile set search_path = '' as $$
begin
  perform from public.subscriptions s where s.idp_id = p_idp_id for share;
  perform from public.tier_grants g where g.idp_id = p_idp_id for share;
  return (select p.watchlist_limit from public.plans p where p.tier = public.tier_of(p_idp_id));
end
$$;
