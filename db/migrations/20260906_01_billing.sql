-- Plans with their limits, subscriptions, payments and revenue. get_tier() returns a member's tier.
-- Payments outlive a deleted member: they belong to a payer with a random id, and only the link to the member is
-- deleted.

create table public.plans (
  tier text primary key check (tier in ('free', 'pro', 'max')),
  watchlist_limit integer not null check (watchlist_limit > 0),
  -- Changed by `tally plans set`. A plan without a price cannot be bought.
  price_minor integer check (price_minor > 0),
  price_currency text check (price_currency ~ '^[A-Z]{3}$'),
  price_interval text check (price_interval in ('month', 'year')),
  constraint plans_price_whole check (num_nulls(price_minor, price_currency, price_interval) in (0, 3)),
  constraint plans_free_has_no_price check (tier <> 'free' or price_minor is null)
);
comment on table public.plans is 'Limits of each tier. A change takes effect on the next statement.';
comment on column public.plans.price_minor is 'Price of one interval in the smallest unit of the currency.';
alter table public.plans enable row level security;
create policy plans_read_all on public.plans for select to authenticated using (true);
grant select on public.plans to authenticated;
-- The three tiers are fixed. The service changes their limits and prices alone.
revoke insert, delete on public.plans from service_role;

insert into public.plans (tier, watchlist_limit, price_minor, price_currency, price_interval) values
  ('free', 20, null, null, null),
  ('pro', 100, 999, 'USD', 'month'),
  ('max', 250, 1999, 'USD', 'month');

create table public.subscriptions (
  idp_id text not null references public.all_users (idp_id) on delete cascade,
  id text not null default ('local_' || gen_random_uuid()::text),
  tier text not null references public.plans (tier),
  status text not null check (status in (
    'incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'canceled', 'unpaid', 'paused')),
  price_id text,
  amount_minor integer,
  currency text,
  price_interval text,
  started_at timestamptz,
  current_period_end timestamptz,
  cancel_at timestamptz,
  ended_at timestamptz,
  pending_tier text references public.plans (tier),
  pending_at timestamptz,
  next_amount_minor integer,
  entry_source text,
  last_entry_source text,
  payment_problem text,
  problem_url text,
  updated_at timestamptz not null default now(),
  primary key (idp_id, id)
);
comment on table public.subscriptions is
  'A member''s subscriptions at the last sync with the payment provider. The highest active one is the paid tier.';
comment on column public.subscriptions.ended_at is
  'When the subscription ended according to the provider, at most the time of the sync. Null if it has not ended.';
comment on column public.subscriptions.entry_source is 'Entry source of the first checkout. Never changes.';
comment on column public.subscriptions.last_entry_source is 'Entry source of the last change.';
create index subscriptions_tier on public.subscriptions (tier);
create index subscriptions_pending_tier on public.subscriptions (pending_tier);
alter table public.subscriptions enable row level security;
create policy subscriptions_read_own on public.subscriptions for select to authenticated using (idp_id = public.member_id());
grant select on public.subscriptions to authenticated;

-- A granted tier is kept apart from subscriptions, so that no payment overwrites it and it never counts as revenue.
create table public.tier_grants (
  idp_id text primary key references public.all_users (idp_id) on delete cascade,
  tier text not null references public.plans (tier) check (tier <> 'free'),
  granted_at timestamptz not null default now()
);
comment on table public.tier_grants is 'A tier that an operator has granted to a member, until it is revoked. The higher of the granted and the paid tier applies.';
create index tier_grants_tier on public.tier_grants (tier);
alter table public.tier_grants enable row level security;
create policy tier_grants_read_own on public.tier_grants for select to authenticated using (idp_id = public.member_id());
grant select on public.tier_grants to authenticated;

-- A past-due subscription keeps its tier while the provider retries the payment, and a cancelled one until it ends.
create view public.member_tiers with (security_invoker = true) as
  select distinct on (t.idp_id) t.idp_id, t.tier
    from (select s.idp_id, s.tier from public.subscriptions s
           where s.status in ('active', 'trialing', 'past_due')
              or (s.status = 'canceled' and coalesce(s.ended_at, s.current_period_end) > now())
          union all
          select g.idp_id, g.tier from public.tier_grants g) t
   order by t.idp_id, array_position(array['free', 'pro', 'max'], t.tier) desc;
comment on view public.member_tiers is 'The highest paid or granted tier of each member. Members without one are free and have no row.';
grant select on public.member_tiers to authenticated;
revoke insert, update, delete on public.member_tiers from service_role;

-- Functions that read members' tables are in plpgsql, since distributing a table drops SQL functions that use it.
create function public.get_tier(p_idp_id text) returns text
  language plpgsql stable set search_path = '' as $$
begin
  return coalesce((select m.tier from public.member_tiers m where m.idp_id = p_idp_id), 'free');
end
$$;
comment on function public.get_tier(text) is 'free, pro or max. Runs with the caller''s rights: a member reads only their own tier.';
grant execute on function public.get_tier(text) to authenticated;

-- Locks the rows that decide the tier, so that adding to a list and changing the plan run one after the other.
create function public.get_watchlist_limit(p_idp_id text) returns integer
  language plpgsql volatile set search_path = '' as $$
begin
  -- One statement locks the rows of both tables, which saves processor time on the coordinator of a cluster.
  perform from (select from public.subscriptions s where s.idp_id = p_idp_id for share) paid
    full join (select from public.tier_grants g where g.idp_id = p_idp_id for share) granted on true;
  -- The view member_tiers, since the coordinator of a cluster would call get_tier() several times.
  return (
    select p.watchlist_limit from public.plans p
     where p.tier = coalesce((select m.tier from public.member_tiers m where m.idp_id = p_idp_id), 'free'));
end
$$;

create sequence public.billing_sync_versions;
comment on sequence public.billing_sync_versions is 'Each sync draws a number before it calls the provider; a sync with a lower number than the stored one writes nothing.';

create table public.billing_payers (
  payer uuid primary key default gen_random_uuid(),
  -- Null until the provider has answered.
  customer_id text unique,
  -- The number from billing_sync_versions that the last written sync had.
  sync_version bigint not null default 0,
  synced_at timestamptz,
  created_at timestamptz not null default now()
);
comment on table public.billing_payers is 'Server only, no policy: customers of the payment provider under a pseudonym, which is kept after the member is deleted.';
create index billing_payers_synced_at on public.billing_payers (synced_at nulls first);
alter table public.billing_payers enable row level security;

create table public.billing_customers (
  idp_id text primary key references public.all_users (idp_id) on delete cascade,
  payer uuid not null references public.billing_payers (payer)
);
comment on table public.billing_customers is 'Server only, no policy: the payer of each member.';
create index billing_customers_payer on public.billing_customers (payer);
alter table public.billing_customers enable row level security;

create table public.billing_prices (
  price_id text primary key,
  tier text not null references public.plans (tier),
  amount_minor integer not null,
  currency text not null,
  price_interval text not null,
  created_at timestamptz not null default now()
);
comment on table public.billing_prices is 'Server only, no policy: current and former prices at the provider, with their tiers.';
create index billing_prices_tier on public.billing_prices (tier);
alter table public.billing_prices enable row level security;

create table public.billing_checkouts (
  idp_id text not null references public.all_users (idp_id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  tier text not null references public.plans (tier),
  entry_source text check (entry_source in ('watchlist_limit', 'watchlist_locked')),
  status text not null default 'creating' check (status in ('creating', 'open', 'complete', 'expired')),
  origin text not null,
  price_id text,
  session_id text,
  url text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '1 day',
  primary key (idp_id, id)
);
comment on table public.billing_checkouts is 'Server only, no policy: checkouts that members started.';
-- A member has one checkout at a time that can be paid, so a second tab gets the same one.
create unique index billing_checkouts_one_open on public.billing_checkouts (idp_id) where status in ('creating', 'open');
create index billing_checkouts_tier on public.billing_checkouts (tier);
alter table public.billing_checkouts enable row level security;

create table public.payment_webhook_events (
  event_id text primary key check (char_length(event_id) between 1 and 256),
  type text not null,
  received_at timestamptz not null default now()
);
comment on table public.payment_webhook_events is 'Server only, no policy: processed events of the payment provider.';
create index payment_webhook_events_received_at on public.payment_webhook_events (received_at);
alter table public.payment_webhook_events enable row level security;

create table public.billing_invoices (
  payer uuid not null references public.billing_payers (payer),
  id text not null,
  subscription_id text,
  number text,
  status text not null,
  currency text not null,
  total_minor integer not null,
  -- The amount paid, without tax.
  net_minor integer not null,
  tier text,
  entry_source text,
  url text,
  created_at timestamptz not null,
  paid_at timestamptz,
  primary key (payer, id)
);
comment on table public.billing_invoices is 'Server only, no policy: invoices under the payer''s pseudonym.';
create index billing_invoices_paid_at on public.billing_invoices (paid_at);
alter table public.billing_invoices enable row level security;

-- Succeeded refunds, and amounts that a dispute has withdrawn and not returned, without tax.
create table public.billing_refunds_and_disputes (
  payer uuid not null references public.billing_payers (payer),
  id text not null,
  kind text not null check (kind in ('refund', 'dispute')),
  invoice_id text,
  status text not null,
  currency text not null,
  net_minor integer not null,
  created_at timestamptz not null,
  primary key (payer, id)
);
comment on table public.billing_refunds_and_disputes is 'Server only, no policy: refunds and disputes under the payer''s pseudonym.';
create index billing_refunds_and_disputes_created_at on public.billing_refunds_and_disputes (created_at);
alter table public.billing_refunds_and_disputes enable row level security;

create table public.billing_movements (
  payer uuid not null references public.billing_payers (payer),
  id bigint generated always as identity,
  moved_at timestamptz not null default now(),
  kind text not null check (kind in ('new', 'expansion', 'contraction', 'churn', 'reactivation')),
  currency text not null,
  -- The change of monthly recurring revenue, negative where it falls.
  mrr_minor integer not null check (mrr_minor <> 0),
  from_tier text not null,
  to_tier text not null,
  entry_source text,
  primary key (payer, id)
);
comment on table public.billing_movements is 'Server only, no policy: append-only changes of recurring revenue under the payer''s pseudonym.';
create index billing_movements_moved_at on public.billing_movements (moved_at);
alter table public.billing_movements enable row level security;

-- The revenue report. Days and months are in UTC, and amounts of different currencies are never added.

-- Net revenue is paid invoices without tax, less refunds and disputes, on the day when the money moved.
-- A refund has the entry source of its invoice.
create view public.revenue_net_by_source with (security_invoker) as
  select f.day, f.currency, f.entry_source, f.tier, sum(f.net_minor)::bigint as net_minor,
         sum(f.new_subscriptions)::integer as new_subscriptions
    from (
      select (i.paid_at at time zone 'UTC')::date as day, i.currency, i.entry_source, i.tier,
             i.net_minor::bigint as net_minor, 0 as new_subscriptions
        from public.billing_invoices i where i.status = 'paid' and i.paid_at is not null and i.net_minor <> 0
      union all
      select (r.created_at at time zone 'UTC')::date, r.currency, i.entry_source, i.tier, -r.net_minor::bigint, 0
        from public.billing_refunds_and_disputes r
        left join public.billing_invoices i on i.payer = r.payer and i.id = r.invoice_id
       where r.net_minor <> 0
      union all
      select (m.moved_at at time zone 'UTC')::date, m.currency, m.entry_source, m.to_tier, 0, 1
        from public.billing_movements m where m.kind in ('new', 'reactivation')) f
   group by f.day, f.currency, f.entry_source, f.tier;
comment on view public.revenue_net_by_source is 'Server only: net revenue and new subscriptions by day, currency, entry source and tier.';

-- Monthly recurring revenue leaves out trials, granted tiers and tax, and takes a twelfth of a yearly price.
create view public.revenue_mrr_monthly with (security_invoker) as
  select k.month, k.currency,
         (sum(k.change) over w - k.change)::bigint as start_minor,
         k.new_minor, k.expansion_minor, k.reactivation_minor, k.contraction_minor, k.churn_minor,
         (sum(k.change) over w)::bigint as end_minor
    from (
      select date_trunc('month', m.moved_at at time zone 'UTC')::date as month, m.currency, sum(m.mrr_minor) as change,
             coalesce(sum(m.mrr_minor) filter (where m.kind = 'new'), 0)::bigint as new_minor,
             coalesce(sum(m.mrr_minor) filter (where m.kind = 'expansion'), 0)::bigint as expansion_minor,
             coalesce(sum(m.mrr_minor) filter (where m.kind = 'reactivation'), 0)::bigint as reactivation_minor,
             coalesce(sum(m.mrr_minor) filter (where m.kind = 'contraction'), 0)::bigint as contraction_minor,
             coalesce(sum(m.mrr_minor) filter (where m.kind = 'churn'), 0)::bigint as churn_minor
        from public.billing_movements m group by 1, 2) k
  window w as (partition by k.currency order by k.month);
comment on view public.revenue_mrr_monthly is
  'Server only: start + new + expansion + reactivation + contraction + churn = end, by month and currency.';

-- A member's first step from an entry source after 30 days without one starts a new funnel.
-- Steps within 30 days of that start belong to it.
create view public.revenue_funnel_daily with (security_invoker) as
  with steps as (
    select s.idp_id, s.entry_source, s.step, s.occurred_at from public.upgrade_steps s
    union all
    select k.idp_id, k.entry_source, 'started', k.created_at from public.billing_checkouts k
    union all
    select k.idp_id, k.entry_source, 'paid', k.created_at from public.billing_checkouts k where k.status = 'complete'),
  flagged as (
    select s.*, coalesce(s.occurred_at - lag(s.occurred_at) over w > interval '30 days', true) as is_start
      from steps s window w as (partition by s.idp_id, s.entry_source order by s.occurred_at)),
  paths as (
    select m.*, count(*) filter (where m.is_start) over (partition by m.idp_id, m.entry_source order by m.occurred_at) as path
      from flagged m),
  numbered as (
    select p.*, min(p.occurred_at) over (partition by p.idp_id, p.entry_source, p.path) as began_at from paths p)
  select (c.began_at at time zone 'UTC')::date as day, c.entry_source,
         count(distinct c.idp_id) filter (where c.step = 'clicked')::integer as clicked,
         count(distinct c.idp_id) filter (where c.step = 'viewed_plans')::integer as viewed_plans,
         count(distinct c.idp_id) filter (where c.step = 'viewed_modal')::integer as viewed_modal,
         count(distinct c.idp_id) filter (where c.step = 'confirmed')::integer as confirmed,
         count(distinct c.idp_id) filter (where c.step = 'started')::integer as started,
         count(distinct c.idp_id) filter (where c.step = 'paid')::integer as paid
    from numbered c where c.occurred_at < c.began_at + interval '30 days'
   group by 1, 2;
comment on view public.revenue_funnel_daily is
  'Server only: members by the day of their first step to a paid plan, and how many took each step within 30 days.';

-- Payers by the month and source of their first subscription, and what they pay a month now.
create view public.revenue_cohorts with (security_invoker) as
  select c.month, c.entry_source, c.currency, count(*)::integer as payers,
         (count(*) filter (where c.mrr_minor > 0))::integer as paying_now, sum(c.mrr_minor)::bigint as mrr_minor
    from (
      select m.payer, m.currency, min(date_trunc('month', m.moved_at at time zone 'UTC'))::date as month,
             (array_agg(m.entry_source order by m.id))[1] as entry_source, sum(m.mrr_minor) as mrr_minor
        from public.billing_movements m group by m.payer, m.currency) c
   group by c.month, c.entry_source, c.currency;
comment on view public.revenue_cohorts is 'Server only: payers by the month and source of their first subscription.';
