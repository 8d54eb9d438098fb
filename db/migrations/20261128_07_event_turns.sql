-- Forwards the first events of all members before the later ones of a member with many, by arrival and not by a time that a browser names.

alter table public.analytics_events
  add column received_at timestamptz not null default now(),
  add column place integer not null default 0;
comment on column public.analytics_events.received_at is
  'Time at which the event was stored. A browser may name an earlier one for occurred_at.';
comment on column public.analytics_events.place is
  'Position among the waiting events of the member. The first ones of all members are forwarded first.';
create index analytics_events_turn on public.analytics_events (place, received_at)
  where forwarded_at is null and quarantined_at is null and not local_only;
-- Finds the last waiting event of a member.
create index analytics_events_place on public.analytics_events (idp_id, place)
  where forwarded_at is null and quarantined_at is null and not local_only;
