-- Operations write their events by a plain call in their own transaction: no function or policy of the product does, and
-- members lose their right to write two kinds of event. Waits for statements on both tables; changes no row.

-- A member's change and its event are one transaction of the service, which takes the member's role for the change.
grant authenticated to service_authenticator;

drop function public.capture_watchlist_change(text, text, jsonb, boolean, text, integer);
drop function public.capture_fact(text, text, jsonb, boolean);
drop function public.plan_for_event(text);

drop policy analytics_events_report_own on public.analytics_events;
revoke insert (idp_id, id, event, properties, occurred_at, local_only) on public.analytics_events from authenticated;
comment on table public.analytics_events is
  'Server only, no policy: captured events, an outbox where an analytics service is configured.';

drop policy analytics_choices_read_own on public.analytics_choices;
revoke select on public.analytics_choices from authenticated;
comment on table public.analytics_choices is
  'Server only, no policy: whether a member''s events are captured and forwarded; without a row they are.';
