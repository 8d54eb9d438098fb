-- Writers of captured events wait while the index is made: about a second for a million events that were not forwarded.
-- One statement that tells events apart which are never forwarded, and those that the analytics service refuses.

alter table public.analytics_events
  add column local_only boolean not null default false,
  add column quarantined_at timestamptz,
  add column refusal text;

comment on column public.analytics_events.local_only is 'Never forwarded: the demo account, a member who said no, a browser that sent Sec-GPC or DNT.';
comment on column public.analytics_events.quarantined_at is 'The analytics service refused this single event, for the reason in refusal; it is not sent again.';

drop index public.analytics_events_waiting;
create index analytics_events_waiting on public.analytics_events (occurred_at)
  where forwarded_at is null and quarantined_at is null and not local_only;

create table public.analytics_choices (
  idp_id text primary key references public.all_users (idp_id) on delete cascade,
  enabled boolean not null,
  updated_at timestamptz not null default now()
);
comment on table public.analytics_choices is 'Server only, no policy: whether a member''s events are captured and forwarded; without a row they are.';
alter table public.analytics_choices enable row level security;
grant select, insert, update, delete on public.analytics_choices to service_role;
