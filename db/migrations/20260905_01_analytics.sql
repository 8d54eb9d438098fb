-- Feature flags, and analytics events with the outbox from which they are forwarded.

create table public.feature_flags (
  flag text primary key check (flag ~ '^[a-z0-9-]{1,100}$'),
  -- Percentage of members for whom the flag is on, chosen by a stable hash of flag and member.
  percentage smallint not null default 0 check (percentage between 0 and 100),
  updated_at timestamptz not null default now()
);
comment on table public.feature_flags is 'Server only, no policy: rollout of each flag.';
alter table public.feature_flags enable row level security;

create table public.feature_flag_members (
  flag text not null references public.feature_flags (flag) on delete cascade,
  idp_id text not null references public.all_users (idp_id) on delete cascade,
  enabled boolean not null,
  primary key (flag, idp_id)
);
comment on table public.feature_flag_members is 'Server only, no policy: members for whom a flag is on or off regardless of its percentage.';
create index feature_flag_members_idp_id on public.feature_flag_members (idp_id);
alter table public.feature_flag_members enable row level security;

create table public.analytics_choices (
  idp_id text primary key references public.all_users (idp_id) on delete cascade,
  enabled boolean not null,
  updated_at timestamptz not null default now()
);
comment on table public.analytics_choices is
  'Server only, no policy: whether a member''s events are captured and forwarded. The default is true.';
alter table public.analytics_choices enable row level security;

create table public.analytics_events (
  idp_id text not null references public.all_users (idp_id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  event text not null check (char_length(event) between 1 and 100),
  properties jsonb not null,
  occurred_at timestamptz not null default now(),
  forwarded_at timestamptz,
  local_only boolean not null default false,
  quarantined_at timestamptz,
  refusal text,
  primary key (idp_id, id)
);
comment on table public.analytics_events is
  'Server only, no policy: captured events. This is the outbox if an analytics service is configured.';
comment on column public.analytics_events.local_only is 'Never forwarded: the demo account, a member who declined analytics, or a browser that sent Sec-GPC or DNT.';
comment on column public.analytics_events.quarantined_at is 'Time at which the analytics service rejected this event. It is not sent again. The column refusal has the reason.';
-- Each event is in exactly one of the next two indexes, by which the nightly job finds the oldest.
create index analytics_events_waiting on public.analytics_events (occurred_at)
  where forwarded_at is null and quarantined_at is null and not local_only;
create index analytics_events_settled on public.analytics_events (occurred_at)
  where not (forwarded_at is null and quarantined_at is null and not local_only);
-- For the view upgrade_steps.
create index analytics_events_upgrade_steps on public.analytics_events (occurred_at)
  where event in ('upgrade_cta_clicked', 'plans_viewed', 'upgrade_modal_viewed', 'upgrade_modal_confirmed');
alter table public.analytics_events enable row level security;

-- Version 0.1.0 named the property "entry" that is "entry_source" now.
create view public.upgrade_steps with (security_invoker) as
  select e.idp_id, e.occurred_at,
         case e.event when 'upgrade_cta_clicked' then 'clicked' when 'plans_viewed' then 'viewed_plans'
           when 'upgrade_modal_viewed' then 'viewed_modal' else 'confirmed' end as step,
         case when e.event <> 'upgrade_cta_clicked'
             then coalesce(e.properties ->> 'entry_source', e.properties ->> 'entry')
           when e.properties ->> 'source' = 'dashboard_watchlist_limit' then 'watchlist_limit'
           when e.properties ->> 'source' = 'dashboard_watchlist_locked' then 'watchlist_locked' end as entry_source
    from public.analytics_events e
   where e.event in ('upgrade_cta_clicked', 'plans_viewed', 'upgrade_modal_viewed', 'upgrade_modal_confirmed');
comment on view public.upgrade_steps is 'Server only: steps of members before a checkout, with their entry source.';
