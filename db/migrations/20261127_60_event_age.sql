-- Events have an end: the nightly job finds the oldest by this index, or by analytics_events_waiting. Each event is in one of the two.
-- Builds one index: captured events wait, and with them what writes a fact (docs/runbooks/large-migrations.md).

create index analytics_events_settled on public.analytics_events (occurred_at)
  where not (forwarded_at is null and quarantined_at is null and not local_only);
