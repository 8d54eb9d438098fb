-- Rollout flags of the embedded default, and the events that wait for the analytics service.

create table public.feature_flags (
  flag text primary key check (flag ~ '^[a-z0-9-]{1,100}$'),
  -- Share of members for whom it is on, by a stable hash of flag and member.
  percentage smallint not null default 0 check (percentage between 0 and 100),
  updated_at timestamptz not null default now()
);
comment on table public.feature_flags is 'Server only, no policy: rollout of each flag.';
alter table public.feature_flags enable row level security;
grant select, insert, update, delete on public.feature_flags to service_role;

create table public.feature_flag_members (
  flag text not null references public.feature_flags (flag) on delete cascade,
  idp_id text not null references public.all_users (idp_id) on delete cascade,
  enabled boolean not null,
  primary key (flag, idp_id)
);
comment on table public.feature_flag_members is 'Server only, no policy: members for whom a flag is on or off whatever its share.';
create index feature_flag_members_idp_id on public.feature_flag_members (idp_id);
alter table public.feature_flag_members enable row level security;
grant select, insert, update, delete on public.feature_flag_members to service_role;

create table public.analytics_events (
  id uuid primary key default gen_random_uuid(),
  idp_id text not null,
  event text not null check (char_length(event) between 1 and 100),
  properties jsonb not null,
  occurred_at timestamptz not null default now(),
  forwarded_at timestamptz
);
comment on table public.analytics_events is 'Server only, no policy: captured events, an outbox where an analytics service is configured.';
create index analytics_events_waiting on public.analytics_events (occurred_at) where forwarded_at is null;
alter table public.analytics_events enable row level security;
grant select, insert, update, delete on public.analytics_events to service_role;
