-- Lets a process claim events before it sends them, so that no transaction is open during the calls.

alter table public.analytics_events add column claimed_until timestamptz;
comment on column public.analytics_events.claimed_until is
  'Until this time a process sends the event, and others leave it alone. Null if none does.';

comment on table public.analytics_days is
  'Server only, no policy: events that a member''s browsers stored on the newest day with any, and their bytes.';
