-- Plans with their limits, and who has which: the source of every member's tier.

create table public.plans (
  tier text primary key check (tier in ('free', 'pro', 'max')),
  watchlist_limit integer not null check (watchlist_limit > 0)
);

comment on table public.plans is 'Limits of each tier; a change here takes effect on the next statement.';

insert into public.plans (tier, watchlist_limit) values ('free', 20), ('pro', 100), ('max', 250);

alter table public.plans enable row level security;
create policy plans_read_all on public.plans for select to authenticated using (true);
grant select on public.plans to authenticated;
grant select, update on public.plans to service_role;

create table public.subscriptions (
  idp_id text primary key references public.all_users (idp_id) on delete cascade,
  tier text not null references public.plans (tier),
  status text not null check (status in ('active', 'trialing', 'past_due', 'canceled', 'unpaid')),
  -- A cancelled plan lasts to the end of what was paid; null for one without an end.
  current_period_end timestamptz,
  updated_at timestamptz not null default now()
);

comment on table public.subscriptions is 'The paid plan of a member; without a row the member is on the free tier.';

create index subscriptions_tier on public.subscriptions (tier);

alter table public.subscriptions enable row level security;
create policy subscriptions_read_own on public.subscriptions
  for select to authenticated using (idp_id = ((select auth.jwt()) ->> 'sub'));
grant select on public.subscriptions to authenticated;
grant select, insert, update, delete on public.subscriptions to service_role;

-- The tier that counts now. A past-due plan keeps its tier while the payment provider retries; a cancelled one to its period's end.
create function public.tier_of(p_idp_id text) returns text
  language sql stable set search_path = ''
  return coalesce(
    (select s.tier from public.subscriptions s
      where s.idp_id = p_idp_id
        and (s.status in ('active', 'trialing', 'past_due')
          or (s.status = 'canceled' and s.current_period_end > now()))),
    'free');

comment on function public.tier_of(text) is 'free, pro or max. Runs with the caller''s rights: a member asks for himself, the service for anyone.';
grant execute on function public.tier_of(text) to authenticated, service_role;
