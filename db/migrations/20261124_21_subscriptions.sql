-- Subscriptions as the payment provider has them: several a member, in all of its states, each with when it ended.

-- Nothing could be paid for before: what stands here was granted by hand or by the first run, and stays as a grant.
insert into public.tier_grants (idp_id, tier)
  select s.idp_id, s.tier from public.subscriptions s
   where s.tier <> 'free' and s.status in ('active', 'trialing', 'past_due')
  on conflict (idp_id) do nothing;
delete from public.subscriptions;

alter table public.subscriptions
  drop constraint subscriptions_pkey,
  drop constraint subscriptions_status_check,
  add column id text not null default ('local_' || gen_random_uuid()::text),
  add primary key (idp_id, id),
  add constraint subscriptions_status_check check (status in (
    'incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'canceled', 'unpaid', 'paused')),
  add column price_id text,
  add column amount_minor integer,
  add column currency text,
  add column price_interval text,
  add column started_at timestamptz,
  add column ended_at timestamptz,
  add column cancel_at timestamptz,
  add column pending_tier text references public.plans (tier),
  add column pending_at timestamptz,
  add column entry_source text,
  add column last_entry_source text,
  add column payment_problem text;

create index subscriptions_pending_tier on public.subscriptions (pending_tier);

comment on table public.subscriptions is
  'The payment provider''s subscriptions of a member, as it told them last; the highest live one is the paid tier.';
comment on column public.subscriptions.entry_source is 'Where the subscription was begun; never changed afterwards.';
comment on column public.subscriptions.last_entry_source is 'Where it was changed last.';

-- A past-due plan keeps its tier while the provider retries; a cancelled one until it has ended.
create or replace function public.tier_of(p_idp_id text) returns text
  language plpgsql stable set search_path = '' as $$
begin
  return coalesce(
    (select held.tier
       from (select s.tier from public.subscriptions s
              where s.idp_id = p_idp_id
                and (s.status in ('active', 'trialing', 'past_due')
                  or (s.status = 'canceled' and coalesce(s.ended_at, s.current_period_end) > now()))
             union all
             select g.tier from public.tier_grants g where g.idp_id = p_idp_id) held
      order by array_position(array['free', 'pro', 'max'], held.tier) desc limit 1),
    'free');
end
$$;
